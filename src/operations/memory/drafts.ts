import * as z from "zod";
import type { MemoryDraft } from "../../learned/draft/draft.ts";
import type { Utterance } from "../../learned/draft/extract.ts";
import { categories } from "../../learned/memory.ts";
import type { StoredRecord } from "../../stores/records.ts";
import { hashText } from "../../text/hash.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Drafts as results show them, and how they are kept. */
export const draftShape = z.object({
  id: z.string(),
  content: z.string(),
  category: z.enum(categories),
  said: z.enum(["user", "agent"]).describe("Who said it"),
  session: z.string().optional(),
  created: z.string().describe("ISO 8601"),
});

export type ShownDraft = z.output<typeof draftShape>;

export function shownDraft({ id, created, body }: StoredRecord): ShownDraft {
  const { content, category, said, session } = body as MemoryDraft;
  const draft = { id, content: redact(content).text, category, said, created: new Date(created).toISOString() };
  return { ...draft, ...(session !== undefined && { session }) };
}

/** Keeps statements worth remembering as drafts. Those drafted, accepted or dropped before are not drafted again. */
export async function keepDrafts(
  workspace: Workspace,
  utterances: Iterable<Utterance>,
  session?: string,
): Promise<ShownDraft[]> {
  const { draftsOf } = await import("../../learned/draft/extract.ts");
  const drafts = draftsOf(utterances, session);
  if (drafts.length === 0) return [];
  const now = Date.now();
  const candidates = drafts.map(
    (body): StoredRecord => ({
      // By what it says: the same log may be read again.
      id: `dra-${hashText(body.content.toLowerCase())}`,
      type: "draft",
      created: now,
      changed: now,
      revision: 0,
      body,
    }),
  );
  const records = await workspace.records();
  const ids = candidates.map(({ id }) => id);
  const existingIds = new Set((await records.get(workspace.owner, ids, { deleted: true })).map(({ id }) => id));
  const fresh = candidates.filter(({ id }) => !existingIds.has(id));
  await records.write(workspace.owner, fresh);
  return fresh.map(shownDraft);
}

/** Waiting drafts, or decided ones, which are stored as deleted. */
export async function allDrafts(workspace: Workspace, deleted = false): Promise<StoredRecord[]> {
  if (!workspace.hasRecords()) return [];
  const records = await workspace.records();
  return (await records.list(workspace.owner, { type: "draft", deleted, limit: mostListed })).records;
}

const mostListed = 500;
