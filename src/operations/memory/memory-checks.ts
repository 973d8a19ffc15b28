import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { nearDuplicatesOf } from "../../learned/memory/duplicates.ts";
import { currentOnly } from "../../learned/memory/validity.ts";
import type { Anchor } from "../../learned/memory.ts";
import type { StoredRecord } from "../../stores/records.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { counted } from "../terminal/phrases.ts";
import { bodyOf, memoryShape, memoryText, shownMemory, visibleLine } from "./memory-shape.ts";

/** Checks before a memory is written: secrets, duplicates, contradictions. */

/** Exit status of a command that wrote nothing because the memory is known already. */
export const exitKnown = 10;

export const duplicateShape = z.object({
  memory: memoryShape,
  similarity: z.number().describe("0.88 to 1; 1 when the words are the same"),
});
export const contradictionShape = z.object({
  memory: memoryShape,
  why: z.string().describe("What differs"),
});

export type Duplicate = z.output<typeof duplicateShape>;
export type ShownContradiction = z.output<typeof contradictionShape>;

/**
 * Refuses a text with keys or passwords in it unless it is forced: memories are read to every agent that asks. Returns
 * warnings.
 */
export function checkSecrets(texts: readonly string[], force: boolean): string[] {
  const { found } = redact(texts.join("\n"));
  if (found === 0) return [];
  const secrets = `what looks like ${found === 1 ? "a secret" : counted(found, "secret")}`;
  if (force) return [`The memory holds ${secrets}; results show a placeholder in its place.`];
  throw new DossierError("looks-secret", `The text holds ${secrets}: a key, a token or a password.`);
}

/** Candidates that are compared word by word; a duplicate is always among the first. */
const mostCompared = 20;

/** Finds stored memories that say the same as the new one, and those that contradict it. */
export async function compare(
  workspace: Workspace,
  { id, content, at }: { id: string; content: string; at: number },
  except: readonly string[] = [],
): Promise<{ duplicates: Duplicate[]; contradicts: ShownContradiction[] }> {
  const others = (await alikeOf(workspace, content)).filter((record) => !except.includes(record.id));
  if (others.length === 0) return { duplicates: [], contradicts: [] };
  const { contradictions } = await import("../../learned/contradictions/contradictions.ts");
  // A clock that was fast may have dated a record in the future; it was still written before this one.
  const texts = others.map((record) => ({
    id: record.id,
    text: bodyOf(record).content,
    at: Math.min(record.changed, at),
  }));
  const byId = new Map(others.map((record) => [record.id, shownMemory(record)]));
  return {
    duplicates: nearDuplicatesOf(content, texts).map(({ of, similarity }) => ({
      memory: byId.get(of.id)!,
      similarity,
    })),
    contradicts: contradictions([...texts, { id, text: content, at }])
      .filter(({ newer }) => newer === id)
      .map(({ older, why }) => ({ memory: byId.get(older)!, why })),
  };
}

async function alikeOf(workspace: Workspace, content: string): Promise<StoredRecord[]> {
  if (!workspace.hasRecords()) return [];
  const records = await workspace.records();
  const { rankSource } = await import("../../assemble.ts");
  const ranked = await rankSource(workspace, { source: "memory", query: content, limit: mostCompared });
  const ids = ranked.map(({ item }) => item.id);
  // Very common words find nothing, so an identical text is looked up directly.
  if (ids.length === 0)
    ids.push(
      ...(await records.ids(workspace.owner, {
        type: "memory",
        where: { content: [content] },
        ...currentOnly(Date.now()),
      })),
    );
  return records.get(workspace.owner, ids);
}

/** The anchors of a text as a body keeps them. */
export async function anchored(workspace: Workspace, content: string): Promise<{ anchors?: Anchor[] }> {
  const { anchorsOf } = await import("../../learned/grounding/anchors.ts");
  const anchors = await anchorsOf(content, workspace);
  return anchors.length > 0 ? { anchors } : {};
}

/** Why nothing was written, and what can be done. */
export function knownText(duplicates: Duplicate[], colour: boolean): string[] {
  return duplicates.flatMap(({ memory, similarity }) => [
    similarity === 1
      ? "The same words are known already:"
      : `${Math.floor(similarity * 100)} % of it is known already:`,
    memoryText(memory, colour),
  ]);
}

export function contradictionText(contradicts: ShownContradiction[], colour: boolean): string[] {
  return contradicts.flatMap(({ memory, why }) => [
    `It says otherwise than an older one (${visibleLine(why)}):`,
    memoryText(memory, colour),
  ]);
}

type NameOf = (key: string) => string;

/** Advice names what its reader can do: a shell has commands, an agent has the arguments of its tool. */
function isShell(nameOf: NameOf): boolean {
  return nameOf("supersedes").startsWith("-");
}

export function adviceOnDuplicate(id: string, nameOf: NameOf): string[] {
  if (!isShell(nameOf)) {
    return [
      `To put the new one in its place: the same call with ${nameOf("supersedes")} ${JSON.stringify(id)}`,
      `To keep both: the same call with ${nameOf("force")} true`,
    ];
  }
  return [
    `To change it: dossier memory edit ${id}`,
    `To put the new one in its place: add --supersedes ${id}`,
    "To keep both: add --force",
  ];
}

/** An agent has no command to type; it can state the replaced memory again. */
export function adviceOnReplaced(id: string, nameOf: NameOf): string[] {
  return isShell(nameOf) ? [`To take that back: dossier memory restore ${id}`] : [];
}

export function adviceOnContradictions(id: string, contradicts: ShownContradiction[], nameOf: NameOf): string[] {
  return contradicts.map(({ memory }) =>
    isShell(nameOf)
      ? `If ${memory.id} is no longer true: dossier memory edit ${id} --supersedes ${memory.id}`
      : `If ${memory.id} is no longer true: the same call with ${nameOf("supersedes")} ${JSON.stringify(memory.id)}`,
  );
}
