import * as z from "zod";
import type { MemoryDraft } from "../../learned/draft/draft.ts";
import type { SessionEvent } from "../../learned/draft/session-events.ts";
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
  said: z.enum(["user", "agent", "nobody"]).describe("Who said it; nobody: taken from what was done"),
  session: z.string().optional(),
  created: z.string().describe("ISO 8601"),
});

export type ShownDraft = z.output<typeof draftShape>;

export function shownDraft({ id, created, body }: StoredRecord): ShownDraft {
  const { content, category, said, session } = body as MemoryDraft;
  const draft = { id, content: redact(content).text, category, said, created: new Date(created).toISOString() };
  return { ...draft, ...(session !== undefined && { session }) };
}

/** Who a draft comes from, in words. */
export function saidBy({ said }: Pick<ShownDraft, "said">): string {
  return { user: "said by you", agent: "said by the agent", nobody: "seen in the session" }[said];
}

/**
 * Keeps what is worth remembering of a session as drafts. What was drafted, accepted or dropped before is not drafted
 * again; undecided drafts of an earlier reading of the same session are replaced.
 */
export async function keepDrafts(
  workspace: Workspace,
  events: readonly SessionEvent[],
  session?: string,
): Promise<ShownDraft[]> {
  const { draftsOf } = await import("../../learned/draft/extract.ts");
  const drafts = draftsOf(events, session);
  const now = Date.now();
  const candidates = drafts.map(
    (body): StoredRecord => ({
      // Drafts are compared by their text, because the same log may be read again.
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
  const outdated = session === undefined ? [] : await unfinishedOf(workspace, session, new Set(ids));
  if (fresh.length > 0 || outdated.length > 0)
    await records.write(workspace.owner, fresh, { removed: outdated, at: now });
  return fresh.map(shownDraft);
}

async function unfinishedOf(workspace: Workspace, session: string, current: ReadonlySet<string>): Promise<string[]> {
  return (await allDrafts(workspace))
    .filter(({ id, body }) => {
      const draft = body as MemoryDraft;
      return draft.unfinished === true && draft.session === session && !current.has(id);
    })
    .map(({ id }) => id);
}

/** Waiting drafts, or decided ones, which are stored as deleted records. */
export async function allDrafts(workspace: Workspace, deleted = false): Promise<StoredRecord[]> {
  if (!workspace.hasRecords()) return [];
  const records = await workspace.records();
  return (await records.list(workspace.owner, { type: "draft", deleted, limit: mostListed })).records;
}

const mostListed = 500;
