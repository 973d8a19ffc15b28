// Dossier beside a chat: it stores the user's documents and messages, and returns the context for each new message.
//
//   dossier serve -C /path/to/folder
//   DOSSIER_KEY=dsr_… node examples/chat-with-context.js http://127.0.0.1:8137 "when is the ledger closed?"

import { createClient, RequestFailure } from "dossier/client";

const [url = "http://127.0.0.1:8137", ...given] = process.argv.slice(2);
const messages = given.length > 0 ? given : ["when is the ledger closed?", "and when is the ledger opened again?"];
const dossier = createClient({ url, key: process.env.DOSSIER_KEY });

/** A stand-in for a language model: it answers with the first citation it was given. */
async function model(context) {
  const [first] = context.citations;
  return first ? `${first.excerpt} ${first.id}` : "I do not know.";
}

/** A busy server answers with the seconds to wait before the next attempt. */
async function withRetries(ask, attempts = 5) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof RequestFailure) || error.retryAfter === undefined || --attempts === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfter * 1000));
    }
  }
}

try {
  await dossier.putDocument({
    document: "notes/ledger.md",
    content: "# The ledger\n\nIt is closed every Friday at noon, and opened again on Monday.\n",
  });
  const { thread } = await dossier.thread({ step: "create", title: "Ledger" });

  for (const message of messages) {
    // Everything that helps to answer this message, within 2,000 tokens, each piece with a citation.
    const context = await withRetries(() => dossier.primeContext({ thread: thread.id, message, maxTokens: 2000 }));
    const reply = await model(context);
    console.log(`Context: ${context.items.map(({ type }) => type).join(", ")} (${context.totalTokens} tokens).`);
    console.log(`Reply: ${reply}`);

    await dossier.say({ thread: thread.id, text: message });
    await dossier.say({ thread: thread.id, text: reply, role: "assistant" });

    // What the reply cites was useful: later contexts rank it higher.
    const { cited } = await dossier.cited({ text: reply, context: context.contextId });
    for (const { name, before, after } of cited) console.log(`Cited: ${name}, usage ${before} -> ${after}.`);
  }
} catch (error) {
  if (!(error instanceof RequestFailure)) throw error;
  console.error(`${error.code}: ${error.message} ${error.fix}`);
  process.exitCode = 1;
}
