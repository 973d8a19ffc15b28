/**
 * Weights of the signals of passages: notes and chunks of stored documents, which are parts of a page or a document.
 * They equal those of prose in files (`prose`), but name and spelling count half, because here they see only the
 * heading. Chosen together on the runs `quality-note-links`, `quality-scifact` and `quality-cranfield`; on both halves
 * of each run's questions they are better than text and meaning alone.
 */
export const passageSignals = { text: 0.4, title: 0.5, whole: 1.2, name: 0.3, spelling: 0.2, similar: 0.2 };

/**
 * BM25 of whole pages and documents: a long page contains more of everything, so length counts more than for a
 * function.
 */
export const wholeModel = { k1: 1.6, b: 0.8 };
