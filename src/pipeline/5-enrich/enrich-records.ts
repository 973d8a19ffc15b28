import type { Dropped } from "../../document.ts";
import { unreadWarning } from "../../errors.ts";
import { addressOf, type Enriched, type Facts, type Scored, type SourceName } from "../../item.ts";
import { sourceOf } from "../../sources/all.ts";
import type { RecordText } from "../../sources/source.ts";
import { hashText } from "../../text/hash.ts";
import { visible } from "../../text/invisible.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { droppedFor } from "../dropped.ts";

/** Attaches the current text of records (items that are not in files). */
export async function enrichRecords(
  ranked: Scored[],
  shownFacts: (facts: Facts) => Facts,
  workspace: Workspace,
): Promise<{ items: Enriched[]; unreadable: Dropped[]; warnings: string[] }> {
  const bySource = new Map<SourceName, Scored[]>();
  for (const scored of ranked) {
    const { source } = scored.item;
    bySource.set(source, [...(bySource.get(source) ?? []), scored]);
  }
  const linked = new Set(ranked.filter(({ distance }) => distance > 0).map(({ item }) => item.id));
  const warnings: string[] = [];
  const unread = new Set<SourceName>();
  const texts = await Promise.all(
    [...bySource].map(async ([source, scored]) => {
      const items = scored.map(({ item }) => item);
      try {
        return await sourceOf(source)?.read?.(items, workspace, linked);
      } catch (error) {
        const warning = unreadWarning(error);
        if (warning === undefined) throw error;
        warnings.push(warning);
        unread.add(source);
        return undefined;
      }
    }),
  );
  const byId = new Map<string, RecordText>(texts.flatMap((read) => [...(read ?? [])]));
  const items: Enriched[] = [];
  const unreadable: Dropped[] = [];
  for (const scored of ranked) {
    const text = byId.get(scored.item.id);
    if (text) items.push(attach(scored, { ...text, facts: shownFacts(text.facts) }));
    else unreadable.push(droppedFor(scored, "unreadable"));
    if (!text && !unread.has(scored.item.source)) warnings.push(`${scored.item.id} was deleted since it was found.`);
  }
  return { items, unreadable, warnings };
}

/** Attaches lines and facts. Names and facts are redacted here; the text is redacted when it is printed. */
function attach(scored: Scored, { lines: recorded, facts }: RecordText): Enriched {
  const { item, via } = scored;
  // Invisible characters are removed: a reader cannot see them, and they may hide a prompt injection.
  const lines = recorded.map(visible);
  const span = { startLine: 1, endLine: Math.max(1, lines.length) };
  return {
    ...scored,
    ...(via ? { via: via.map((step) => ({ ...step, name: safeText(step.name) })) } : {}),
    item: { ...item, name: safeText(item.name), ...span },
    lines,
    ...span,
    freshness: "current",
    imports: [],
    related: [],
    merged: [],
    citation: {
      id: `[${item.id}]`,
      itemId: item.id,
      path: addressOf(item),
      ...span,
      hash: hashText(lines.join("\n")),
    },
    facts: safeFacts(facts),
  };
}

function safeText(text: string): string {
  return redact(visible(text)).text;
}

function safeFacts(facts: Facts): Facts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, unredactedFacts.has(name) ? value : safeFact(value)]),
  );
}

/** Facts that are not redacted: an id looks like a secret but is none. */
const unredactedFacts = new Set(["id", "sha", "thread", "answers"]);

function safeFact(value: Facts[string]): Facts[string] {
  if (typeof value === "string") return safeText(value);
  if (Array.isArray(value)) return value.map(safeText);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, values]) => [safeText(name), values.map(safeText)]));
}
