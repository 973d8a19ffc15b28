import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openWorkspace, type Workspace } from "../../../src/index.ts";
import { random } from "../../shared/random.ts";
import { rowsOf } from "../data/rows.ts";
import type { Part } from "../set.ts";

/**
 * What three users of a chat keep and said: ten documents and seven exchanges of each are written by hand, in `chat/`.
 * Around them stand documents and turns that are made of the same words, so that nothing is found for being the only
 * one that has them.
 */
export type ChatQuestion = {
  id: string;
  user: string;
  part: Part;
  kind: "document" | "message" | "typo";
  message: string;
  /** What must be printed. */
  gold: string;
};
type DocumentRow = { user: string; path: string; content: string };
type ExchangeRow = { user: string; id: string; asked: string; answered: string };

const folder = fileURLToPath(new URL("../chat", import.meta.url));
export const chatQuestions = () => rowsOf<ChatQuestion>(join(folder, "questions.jsonl"));

/** Of each user, together with what is written by hand. */
export const documentsEach = 200;
const turnsBetween = 8;
const turnsAfter = 14;

export type ChatUser = { workspace: Workspace; thread: string; texts: { id: string; text: string }[] };

/** Opens what a user has, written anew. */
export async function openChatUser(path: string, user: string): Promise<ChatUser> {
  const documents = rowsOf<DocumentRow>(join(folder, "documents.jsonl")).filter((row) => row.user === user);
  const exchanges = rowsOf<ExchangeRow>(join(folder, "exchanges.jsonl")).filter((row) => row.user === user);
  const talk = talker([...documents.map(({ content }) => content), ...exchanges.flatMap((e) => [e.asked, e.answered])]);
  const workspace = await openWorkspace(path, { owner: user });
  const library = await workspace.library();
  const texts: ChatUser["texts"] = [];
  const start = Date.UTC(2026, 1, 2, 9);
  const put = async (to: string, content: string, at: number) => {
    await library.putDocument(user, { path: to, content, at });
    texts.push({ id: to, text: content });
  };
  for (let n = documents.length; n < documentsEach; n++) await put(`other/${n}.md`, talk.document(n), start + n * hour);
  for (const [n, { path: to, content }] of documents.entries()) await put(to, content, start + n * 20 * hour);
  const { id: thread } = await library.createThread(user, { title: `The ${user}`, at: start });
  const messages = exchanges.flatMap(({ asked, answered }) => [asked, answered, ...talk.turns(turnsBetween)]);
  const turns = [...talk.turns(turnsBetween), ...messages, ...talk.turns(turnsAfter)];
  await library.addMessages(
    user,
    thread,
    turns.map((text, i) => ({
      role: i % 2 ? ("assistant" as const) : ("user" as const),
      blocks: [{ type: "text" as const, text }],
      at: start + 240 * hour + i * 60_000,
    })),
  );
  texts.push(...turns.map((text, i) => ({ id: `turn ${i}`, text })));
  return { workspace, thread, texts };
}

const hour = 3_600_000;
const sentences = [
  "The * beside the * was looked at on day #.",
  "Nobody has asked for the * since the * came.",
  "# of the * are new, the other * are not.",
  "We keep one * for each * in the long room.",
  "Somebody wrote * on the list, and below it *.",
  "If the * is missing, take the * of week #.",
];
const replies = [
  "And the *, is it where the * was?",
  "I think so; the * can wait until day #.",
  "Then we talk of the * next time.",
  "Fine, I write * and * on the list.",
];

/** Sentences that mean nothing, of words that do. */
function talker(texts: readonly string[]) {
  const words = [...new Set(texts.join(" ").match(/\p{L}{4,}/gu) ?? [])].map((word) => word.toLowerCase());
  const { pick: one, between } = random(18);
  const filled = (template: string) =>
    template.replace(/\*/g, () => one(words)).replace(/#/g, () => String(between(1, 90)));
  const paragraph = () => Array.from({ length: 5 }, () => filled(one(sentences))).join(" ");
  return {
    document: (n: number) =>
      [`# ${one(words)} ${n}`, paragraph(), `## ${one(words)}`, paragraph(), `## ${one(words)}`, paragraph()].join(
        "\n\n",
      ),
    turns: (count: number) => Array.from({ length: count }, () => filled(one(replies))),
  };
}
