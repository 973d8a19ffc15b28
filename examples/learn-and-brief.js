// Record what was learned, and get it back in a briefing before the next task.
//
//   node examples/learn-and-brief.js /path/to/project "retry with backoff"

import { assembleContext, experience, getPremortemContext, remember } from "dossier";

const [path = ".", task = "retry with backoff"] = process.argv.slice(2);

const { stored, duplicates } = await remember({
  content: "The payment provider asks for exponential backoff between retries.",
  category: "decision",
  importance: 0.9,
  path,
});
console.log(stored ? "Remembered." : `Known already as ${duplicates[0].memory.id}.`);

// One experience: what was tried, what was expected, and why it came out otherwise.
await experience({
  step: "record",
  domain: "debugging",
  strategy: "read-the-error",
  goal: "make retries survive a busy provider",
  hypothesis: "the provider drops the connection",
  action: "log every reconnect",
  prediction: "the log shows a gap before each failure",
  status: "falsified",
  result: "no gap at all",
  surprise: "the connection was never lost",
  rootCause: "wrong-assumption",
  rootCauseDescription: "the client gave up after the first 503",
  path,
});

const briefing = await assembleContext({ query: task, path, maxTokens: 1500 });
console.log(briefing.markdown);

const premortem = await getPremortemContext({ domain: "debugging", path, maxTokens: 600 });
console.log(premortem.markdown);
