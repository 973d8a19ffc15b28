import type { Scored } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { NoteSelection, NotesView, SelectedNote } from "../../recipes/recipe.ts";
import { itemOfNote } from "../../sources/notes/note-items.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { droppedFor } from "../dropped.ts";
import type { Ranking } from "../ranking.ts";
import { walkNotes } from "./walk-notes.ts";

/** What the last of the notes that were asked for still scores, and what the nearest of their neighbours does. */
const leastSelected = 0.6;
const mostBeside = 0.5;
/** Notes that are walked from: of a long list the reader wants the list. */
const mostWalked = 12;

/**
 * Notes that were asked for by their tags and fields, in their order, all before whatever the lens brings along with the first of them. Where
 * there is a topic, only those that say something of it, the best first unless an order was asked for.
 */
export async function rankSelected(
  { ordered, confidence }: Ranking,
  request: Request,
  view: NotesView & { selection: NoteSelection },
  workspace: Workspace,
): Promise<Ranking> {
  const { selection } = view;
  const isTopic = request.query.trim() !== "";
  // All of them: what has no room is told, and not left out before.
  const matching = ordered.filter(({ score }) => score >= request.minScore);
  const chosen = isTopic ? ofTopic(selection, matching) : selection.notes;
  const scored = chosen.map((note, place): Scored => {
    const score = 1 - ((1 - leastSelected) * place) / Math.max(1, chosen.length);
    return { item: itemOf(note), signals: { asked: 1 }, distance: 0, score, because: { selected: score } };
  });
  const most = request.overflowFrom === undefined ? request.limit : scored.length;
  const { beside, warnings } = await besideThem(chosen, request, view, workspace);
  const tags = new Map(chosen.map((note) => [note.id, note.tags]));
  const beyond = scored
    .slice(most)
    .map((each) => droppedFor({ ...each, facts: { tags: tags.get(each.item.id) ?? [] } }, "over-budget"));
  const shown = [...scored.slice(0, most), ...beside.slice(0, Math.max(0, most - scored.length))];
  return { ordered: shown, ranked: shown, below: [], confidence: isTopic ? confidence : 1, warnings, beyond };
}

function ofTopic({ notes, sorted }: NoteSelection, ranked: readonly Scored[]): SelectedNote[] {
  const places = new Map(ranked.map(({ item }, place) => [item.id, place]));
  const matching = notes.filter(({ id }) => places.has(id));
  return sorted ? matching : matching.sort((a, b) => places.get(a.id)! - places.get(b.id)!);
}

function itemOf(note: SelectedNote) {
  return itemOfNote({ ...note, fields: [], references: [] });
}

/** What the lens leads to from the first of them, nearest first. */
async function besideThem(
  chosen: readonly SelectedNote[],
  request: Request,
  view: NotesView,
  workspace: Workspace,
): Promise<{ beside: Scored[]; warnings: string[] }> {
  const { store, owner } = workspace;
  const first = chosen.slice(0, mostWalked);
  const notes = await store.graph.get(
    owner,
    first.map(({ id }) => id),
  );
  const sources = notes.map((note) => ({ note, asked: true, weight: 1 }));
  const query = analyseQuery([request.query, ...first.map(({ name }) => name)].join("\n"));
  const limits = { depth: request.expand ? request.depth : 0, notes: request.limit };
  const { reached, warnings } = await walkNotes(sources, view, limits, query, workspace);
  const selected = new Set(chosen.map(({ id }) => id));
  const beside = reached
    .filter(({ note, distance }) => distance > 0 && !selected.has(note.id))
    .map(({ note, distance, nearness, via, remarks }): Scored => {
      const score = mostBeside * nearness;
      const withRemarks = remarks.length > 0 ? { notes: remarks } : {};
      return {
        item: itemOfNote(note),
        signals: { nearness },
        distance,
        via,
        score,
        because: { distance: score },
        ...withRemarks,
      };
    });
  return { beside: beside.sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1)), warnings };
}
