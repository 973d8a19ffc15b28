import { documentPath, nameOf } from "../../chat/paths.ts";
import { DossierError } from "../../errors.ts";
import { isKeptOut } from "../../sources/documents/document-items.ts";
import type { DocumentInfo, LibraryStore } from "../../stores/library.ts";
import { closest } from "../../text/similarity/closest.ts";
import type { Workspace } from "../../workspace/workspace.ts";

type State = "kept" | "deleted" | "either";

/** The document that an id or a path means. */
export async function findDocument(workspace: Workspace, typed: string, state: State): Promise<DocumentInfo> {
  const reference = asTyped(typed);
  const library = workspace.hasRecords() ? await workspace.library() : undefined;
  const stored = await library?.document(workspace.owner, reference, { deleted: state !== "kept" });
  if (library && stored) {
    // Another document may have taken the path of a deleted one; then only its id means the deleted one.
    if (state !== "deleted" || stored.deleted !== undefined) return withoutContent(stored);
    throw new DossierError("not-found", `${JSON.stringify(stored.path)} is not deleted.`);
  }
  if (library && state === "kept" && (await library.document(workspace.owner, reference, { deleted: true }))) {
    throw new DossierError(
      "not-found",
      `The document ${JSON.stringify(typed.slice(0, 200))} was deleted; dossier doc restore takes that back.`,
    );
  }
  throw await noDocument(library, workspace.owner, typed);
}

/** A text that is no valid path is looked up unchanged: no document has it. */
function asTyped(typed: string): string {
  const bare = typed.trim().replace(/^\[(.*)\]$/, "$1");
  try {
    return documentPath(bare);
  } catch (error) {
    if (error instanceof DossierError) return bare;
    throw error;
  }
}

function withoutContent<Found extends DocumentInfo & { content?: string }>({
  content: _,
  ...info
}: Found): DocumentInfo {
  return info;
}

/** Most paths that an unknown path is compared with. */
const mostCompared = 2000;

export async function noDocument(
  library: LibraryStore | undefined,
  owner: string,
  typed: string,
): Promise<DossierError> {
  const page = await library?.documents(owner, { order: "changed", limit: mostCompared });
  const paths = page?.documents.map(({ path }) => path) ?? [];
  const guess = likely(typed, paths);
  const hint = guess === undefined ? "" : ` Did you mean ${JSON.stringify(guess)}?`;
  return new DossierError("not-found", `There is no document ${JSON.stringify(typed.slice(0, 200))}.${hint}`);
}

/** A document of the same name in another folder, else one with a similar spelling. */
function likely(typed: string, paths: string[]): string | undefined {
  const name = nameOf(typed.replace(/\\/g, "/"));
  const names = paths.map(nameOf);
  const at = names.indexOf(name);
  if (at >= 0) return paths[at];
  return closest(typed, paths) ?? paths[names.indexOf(closest(name, names) ?? "")];
}

/** Refuses a document whose name suggests a secret unless it is forced; warnings say that it is kept out of answers. */
export function checkSecrets(path: string, content: string | undefined, force: boolean): string[] {
  if (isKeptOut(path)) {
    if (force) return [`${path} may hold secrets: it is stored, but kept out of every answer.`];
    throw new DossierError("looks-secret", `${JSON.stringify(path)} is a file that holds keys or passwords.`);
  }
  if (content === undefined || !isKeptOut(path, content)) return [];
  return [`${path} is made of keys or passwords: it is stored, but kept out of every answer.`];
}

/** Runs `work`, which gives a document a path, and rewords the error for a path that is taken. */
export async function givingPath<Result>(path: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DossierError) || error.code !== "conflict") throw error;
    const message = `Another document is at ${JSON.stringify(path)}.`;
    throw new DossierError("already-exists", message, { cause: error });
  }
}
