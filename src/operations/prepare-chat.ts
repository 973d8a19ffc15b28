import { mentionsIn } from "../chat/mention-targets.ts";
import { DossierError } from "../errors.ts";
import { type ContextInput, type Request, requestOf } from "../options.ts";
import { chat } from "../recipes/chat.ts";
import type { Recipe } from "../recipes/recipe.ts";
import type { LibraryStore } from "../stores/library.ts";
import { shelfOfId } from "../stores/store.ts";
import type { Workspace } from "../workspace.ts";
import { fresh } from "./fresh.ts";
import type { Environment } from "./operation.ts";

export type PreparedChat = {
  request: Request;
  recipe: Recipe;
  /** Of everything that an answer is made from: what it may be remembered by. */
  revisions: number[];
  warnings: string[];
};

/** Something that was named for the answer: by a reference of the thread, by a mention, by the caller. */
type Target = { kind: "document" | "folder" | "thread" | "item" | "file"; target: string };

/** Documents of a folder, messages of a thread that are brought when it is named. */
const mostOfFolder = 20;
const lastOfThread = 5;
const mostChunks = 60;

/**
 * What the next message of a thread needs: sources that are up to date, and a recipe that asks for what was named. A thread that is
 * mentioned brings its last messages and the documents it refers to, one level deep.
 */
export async function prepareChat(
  input: ContextInput,
  named: readonly string[],
  workspace: Workspace,
  environment: Environment,
): Promise<PreparedChat> {
  const { owner, store } = workspace;
  const library = await workspace.library();
  if (input.thread !== undefined && !(await library.thread(owner, input.thread))) {
    throw new DossierError("not-found", `There is no thread ${JSON.stringify(input.thread)}.`);
  }
  const warnings = input.refresh ? await fresh(workspace, environment, ["document", "message"]) : [];
  const targets = await targetsOf(input, named, library, workspace);
  warnings.push(...targets.missing.filter(isFileName).map((name) => `@${name} names nothing that is stored here.`));
  const explicit = new Map<string, Set<string>>();
  const add = (source: string, ids: readonly string[]) => {
    const known = explicit.get(source) ?? new Set();
    for (const id of ids) known.add(id);
    explicit.set(source, known);
  };
  for (const target of targets.found) await resolveTarget(target, library, workspace, add, true);
  const request = requestOf({ ...input, recipe: "chat" });
  const recipe = chat([...explicit].map(([source, ids]) => ({ source, ids: [...ids].slice(0, mostChunks) })));
  const revisions = await Promise.all([
    store.revision(owner),
    store.shelf("document").revision(owner),
    store.shelf("message").revision(owner),
    library.revision(owner),
    library.usageRevision(owner),
  ]);
  return { request, recipe, revisions, warnings };
}

async function targetsOf(
  { thread, query }: ContextInput,
  named: readonly string[],
  library: LibraryStore,
  workspace: Workspace,
): Promise<{ found: Target[]; missing: string[] }> {
  const { owner, store } = workspace;
  const found: Target[] = [];
  const missing: string[] = [];
  const references = thread === undefined ? [] : await library.references(owner, thread);
  found.push(...references.map(({ kind, target }): Target => ({ kind, target })));
  const quoted = named.filter((name) => !isId(name)).map((name) => `@"${name}"`);
  const mentions = await mentionsIn(library, owner, [query, ...quoted].join("\n"));
  found.push(...mentions.found.map(({ kind, target }): Target => ({ kind, target })));
  for (const { name } of mentions.missing) {
    // Not in the library: perhaps a file of the workspace.
    const [hit] = await store.searchPaths(owner, { text: name, mode: "suffix", limit: 1 });
    if (hit) found.push({ kind: "file", target: hit.item.path });
    else missing.push(name);
  }
  for (const id of named.filter(isId)) {
    found.push({ kind: id.startsWith("doc-") ? "document" : id.startsWith("thr-") ? "thread" : "item", target: id });
  }
  return { found, missing };
}

/** A decorator such as `@app.route` has a dot, too, but no ending of a file. */
function isFileName(name: string): boolean {
  return /[\s/]|\.[a-z0-9]{1,4}$/i.test(name);
}

function isId(name: string): boolean {
  return /^[a-z]{3}-[0-9a-z]+$/.test(name);
}

async function resolveTarget(
  { kind, target }: Target,
  library: LibraryStore,
  workspace: Workspace,
  add: (source: string, ids: readonly string[]) => void,
  deeper: boolean,
): Promise<void> {
  const { owner, store } = workspace;
  const idsOf = async (shelf: "document" | "files", path: string) =>
    (await store.shelf(shelf).itemsOf(owner, path)).map(({ id }) => id);
  if (kind === "document") add("document", await idsOf("document", `document/${target}`));
  else if (kind === "file") add("files", (await idsOf("files", target)).slice(0, 1));
  else if (kind === "item") {
    const shelf = shelfOfId(target);
    add(shelf, [target]);
  } else if (kind === "folder") {
    const { documents } = await library.documents(owner, { under: target.replace(/\/+$/, ""), limit: mostOfFolder });
    for (const { id } of documents) add("document", await idsOf("document", `document/${id}`));
  } else {
    const last = await library.messages(owner, target, { last: lastOfThread });
    add(
      "message",
      last.map(({ id }) => id),
    );
    if (!deeper) return;
    for (const reference of await library.references(owner, target)) {
      if (reference.kind !== "thread") await resolveTarget(reference, library, workspace, add, false);
    }
  }
}
