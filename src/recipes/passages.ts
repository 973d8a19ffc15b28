/**
 * What signals of passages are worth: of notes and of chunks of stored documents, which are read as parts of a page or a document. Those of
 * texts in files (`prose`), but names and spelling count half of that: here they see only what a passage is called. Runs `quality-note-links`,
 * `quality-scifact` and `quality-cranfield`, chosen together; every half of the questions of each prefers them to text and meaning alone.
 */
export const passageSignals = { text: 0.4, title: 0.5, whole: 1.2, name: 0.3, spelling: 0.2, similar: 0.2 };

/** How wholes are compared: a long page says more of everything, so its length counts more than a function's does. */
export const wholeModel = { k1: 1.6, b: 0.8 };
