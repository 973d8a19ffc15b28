import type { Scored } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { NoteSelection, NotesView, SelectedNote } from "../../recipes/recipe.ts";
import { itemOfNote } from "../../sources/notes/note-items.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { droppedFor } from "../dropped.ts";
import type { Ranking } from "../ranking.ts";
import { walkNotes } from "./walk-notes.ts";

/** The lowest score of a selected note, and the highest of a neighbour. */
const lowestSelected = 0.6;
const highestNeighbour = 0.5;
/** How many notes the walk starts from: the reader of a long list wants the list itself. */
const mostWalked = 12;

/**
 * Ranks notes that were selected by tags and fields, in the order of the selection; the neighbours that the lens adds
 * come after them. With a topic, keeps only the notes that match it, best first unless the selection is sorted.
 */
export async function rankSelected(
  { ordered, confidence }: Ranking,
  request: Request,
  view: NotesView & { selection: NoteSelection },
  workspace: Workspace,
): Promise<Ranking> {
  const { selection } = view;
  const isTopic = request.query.trim() !== "";
  // There is no limit here: notes without room are reported as left out.
  const matching = ordered.filter(({ score }) => score >= request.minScore);
  const chosen = isTopic ? matchingTopic(selection, matching) : selection.notes;
  const scored = chosen.map((note, place): Scored => {
    const score = 1 - ((1 - lowestSelected) * place) / Math.max(1, chosen.length);
    return { item: itemOf(note), signals: { asked: 1 }, distance: 0, score, because: { selected: score } };
  });
  const limit = request.overflowFrom === undefined ? request.limit : scored.length;
  const { neighbours, warnings } = await neighboursOf(chosen, request, view, workspace);
  const tags = new Map(chosen.map((note) => [note.id, note.tags]));
  const beyond = scored
    .slice(limit)
    .map((each) => droppedFor({ ...each, facts: { tags: tags.get(each.item.id) ?? [] } }, "over-budget"));
  const shown = [...scored.slice(0, limit), ...neighbours.slice(0, Math.max(0, limit - scored.length))];
  return { ordered: shown, ranked: shown, below: [], confidence: isTopic ? confidence : 1, warnings, beyond };
}

function matchingTopic({ notes, sorted }: NoteSelection, ranked: readonly Scored[]): SelectedNote[] {
  const places = new Map(ranked.map(({ item }, place) => [item.id, place]));
  const matching = notes.filter(({ id }) => places.has(id));
  return sorted ? matching : matching.sort((a, b) => places.get(a.id)! - places.get(b.id)!);
}

function itemOf(note: SelectedNote) {
  return itemOfNote({ ...note, fields: [], references: [] });
}

/** Notes that the lens leads to from the first selected ones, nearest first. */
async function neighboursOf(
  chosen: readonly SelectedNote[],
  request: Request,
  view: NotesView,
  workspace: Workspace,
): Promise<{ neighbours: Scored[]; warnings: string[] }> {
  const { store, owner } = workspace;
  const first = chosen.slice(0, mostWalked);
  const notes = await store.graph.get(
    owner,
    first.map(({ id }) => id),
  );
  const sources = notes.map((note) => ({ note, isExplicit: true, weight: 1 }));
  const query = analyseQuery([request.query, ...first.map(({ name }) => name)].join("\n"));
  const limits = { depth: request.expand ? request.depth : 0, notes: request.limit };
  const { reached, warnings } = await walkNotes(sources, view, limits, query, workspace);
  const selected = new Set(chosen.map(({ id }) => id));
  const neighbours = reached
    .filter(({ note, distance }) => distance > 0 && !selected.has(note.id))
    .map(({ note, distance, nearness, via, remarks }): Scored => {
      const score = highestNeighbour * nearness;
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
  return { neighbours: neighbours.sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1)), warnings };
}
