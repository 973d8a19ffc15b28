import type { LibraryStore, NewMessage, StoredMessage } from "../library.ts";

/** A message for tests: its text is its name. */
export function say(text: string, more: Partial<NewMessage> = {}): NewMessage {
  return { role: "user", blocks: [{ type: "text", text }], at: 1000, ...more };
}

/** The texts of messages, one word each. */
export function textsOf(messages: StoredMessage[]): string {
  return messages.map(({ blocks }) => blocks.map((block) => ("text" in block ? block.text : "?")).join("+")).join(" ");
}

/** A thread with a message for each word. */
export async function talk(
  store: LibraryStore,
  owner: string,
  words: string,
  more: { parent?: string; branchedAt?: string; at?: number } = {},
): Promise<{ id: string; messages: StoredMessage[] }> {
  const { id } = await store.createThread(owner, { title: words, at: 1000, ...more });
  const messages = await store.addMessages(
    owner,
    id,
    words
      .split(" ")
      .filter((word) => word !== "")
      .map((word) => say(word)),
  );
  return { id, messages };
}

/** Texts that databases are known to spoil. */
export const oddTexts = [
  "",
  "ä😀 \"quoted\" 'it''s' \n\t\u2028 end",
  "a\u0000b",
  "\u0000",
  "lone \ud800 and \udc00",
  "\ud800",
  "\ud801",
  "\ufffe0000",
  "\ufffed800 \ufffd",
  "%_*[a]\\",
  "\r\n",
];
