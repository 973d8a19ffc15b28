import { statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { originKinds } from "../../note.ts";
import { kindWords, readerFor, recognisedFiles } from "../../notes/readers/all.ts";
import type { NoteReader } from "../../notes/readers/reader.ts";
import { path, workspace } from "../../options.ts";
import { isInside, relativePath } from "../../tree/path-escape.ts";
import {
  configPath,
  expandHome,
  freeName,
  type Live,
  type Origin,
  originsOf,
  readConfig,
  real,
  resolvePlace,
} from "../../workspace/config/config.ts";
import { originFault } from "../../workspace/config/config-settings.ts";
import { addOrigin } from "../../workspace/config/config-write.ts";
import { liveAddress } from "../../workspace/config/live-address.ts";
import { type Environment, operation } from "../core/operation.ts";
import { writableRootOf } from "../core/workspace-root.ts";
import { paint } from "../terminal/colours.ts";
import { counted, plain } from "../terminal/phrases.ts";

const usualVariable = "TANA_API_TOKEN";
const usualUrl = "http://127.0.0.1:8262";

const input = z.object({
  from: z
    .string()
    .min(1)
    .optional()
    .describe("A Tana export, a Tana Intermediate Format file, supertag-cli's index or a folder of Markdown notes"),
  path,
  workspace,
  name: z.string().trim().min(1).optional().describe("What to call it; default: the name of the file or folder"),
  kind: z.enum(originKinds).optional().describe("What it is; found out by looking inside when not given"),
  liveUrl: z
    .string()
    .optional()
    .describe(`Ask Tana Desktop itself where it runs: the address of its Local API, usually ${usualUrl}`),
  tokenVariable: z
    .string()
    .optional()
    .describe(`Name of the environment variable that holds the Local API's token; default: ${usualVariable}`),
  tanaWorkspace: z.string().min(1).optional().describe("Id or name of the one Tana workspace to ask; default: all"),
});

type Input = z.output<typeof input>;

export const connect = operation({
  name: "connect",
  command: "notes connect",
  group: "Notes",
  summary: "Connect notes to a workspace: a Tana export or index, a vault of Markdown notes, or Tana Desktop itself",
  input,
  output: z.object({
    name: z.string(),
    kind: z.enum(originKinds).optional(),
    from: z.string().optional().describe("As it stands in the config file"),
    place: z.string().optional(),
    liveUrl: z.string().optional(),
    config: z.string().describe("The file that it was written to"),
    notes: z.number().int().optional().describe("How many notes were read"),
    message: z.string().describe("What it is, in one sentence"),
    next: z.array(z.string()).describe("Commands to go on with"),
    warnings: z.array(z.string()),
  }),
  positional: ["from"],
  onlyOn: "cli",
  examples: [
    { command: "dossier notes connect ~/Downloads/workspace.json --name tana", what: "a Tana export" },
    { command: "dossier notes connect ~/notes", what: "an Obsidian or Logseq vault, or any folder of Markdown" },
    {
      command: `dossier notes connect ~/.local/share/supertag/tana-index.db --name tana --live-url ${usualUrl}`,
      what: "an index, and Tana Desktop while it runs",
    },
  ],
  async run(input, environment) {
    const nameOf = environment.nameOf ?? ((key: string) => key);
    const liveInput = liveOf(input, nameOf);
    if (input.from === undefined && !liveInput) {
      throw new DossierError("bad-input", `Say what to connect: ${nameOf("from")}, ${nameOf("liveUrl")} or both.`);
    }
    refuseWrong({ name: input.name ?? "notes", from: input.from, live: liveInput }, nameOf);
    const live = liveInput && { ...liveInput, url: liveAddress(liveInput.url) };
    const root = await writableRootOf(input);
    const config = await readConfig(root);
    const located =
      input.from === undefined ? undefined : await locateNotes(input.from, input.kind, environment.signal);
    for (const other of config.notes) await refuseSame(root, other, located?.place, live);
    const origins = await originsOf(root, config);
    const name = input.name ?? freeName(nameFor(located?.place), origins);
    const from = located && configPlace(root, located.place);
    const origin: Origin = { name, ...(located && { from, kind: located.reader.kind }), ...(live && { live }) };
    addOrigin(root, origin);
    const missing = live && !process.env[live.tokenVariable]?.trim();
    const read = located ? await importNow(name, root, environment) : undefined;
    return {
      name,
      kind: located?.reader.kind,
      from,
      place: located?.place,
      liveUrl: live?.url,
      config: configPath(root),
      ...(read ? { notes: read.notes } : {}),
      message: `${sentence(name, located, live)}${read ? ` ${counted(read.notes, "note")} ${read.notes === 1 ? "was" : "were"} read.` : ""}`,
      next: ['dossier notes ask "…"', "dossier notes list"],
      warnings: [
        ...(missing ? [`The variable ${live.tokenVariable} is not set here; without it Tana is not asked.`] : []),
        ...(read?.warnings ?? []),
      ],
    };
  },
  text({ message, config, next }, _input, colour) {
    const p = paint(colour);
    return [
      plain(message),
      `Written to ${plain(config)}. Go on with:`,
      ...next.map((command) => `  ${p.bold(command)}`),
    ].join("\n");
  },
});

/** Imports the notes at once, so that the first question need not wait for them and problems are reported now. */
async function importNow(
  name: string,
  root: string,
  { workspace: open, signal, progress }: Environment,
): Promise<{ notes: number; warnings: string[] }> {
  const workspace = await open({ at: root });
  const { refreshNotes } = await import("../../indexing/notes/notes.ts");
  progress?.({ stage: `notes of ${name}`, done: 0 });
  const { warnings } = await refreshNotes(workspace, { now: Date.now(), signal, progress });
  const origins = await workspace.store.graph.origins(workspace.owner);
  return { notes: origins.find(({ origin }) => origin === name)?.notes ?? 0, warnings };
}

function liveOf({ liveUrl, tokenVariable, tanaWorkspace }: Input, nameOf: (key: string) => string): Live | undefined {
  if (liveUrl === undefined) {
    const extra =
      tokenVariable !== undefined ? "tokenVariable" : tanaWorkspace !== undefined ? "tanaWorkspace" : undefined;
    if (extra === undefined) return undefined;
    throw new DossierError("bad-input", `${nameOf(extra)} is about a live Tana: add ${nameOf("liveUrl")} ${usualUrl}.`);
  }
  return {
    url: liveUrl,
    tokenVariable: tokenVariable ?? usualVariable,
    ...(tanaWorkspace !== undefined && { workspace: tanaWorkspace }),
  };
}

const inputs: Record<string, string> = {
  name: "name",
  from: "from",
  "live.url": "liveUrl",
  "live.tokenVariable": "tokenVariable",
  "live.workspace": "tanaWorkspace",
};

/** States what is allowed and never repeats the input: some paste the token where the name of a variable belongs. */
function refuseWrong(origin: Origin, nameOf: (key: string) => string): void {
  const fault = originFault(origin);
  if (fault) throw new DossierError("bad-input", `${nameOf(inputs[fault.way] ?? fault.way)} ${fault.takes}.`);
}

type LocatedNotes = { place: string; reader: NoteReader; sheets: number };

/** Checks that a place can be read, without reading all of it. */
async function locateNotes(from: string, kind: Input["kind"], signal?: AbortSignal): Promise<LocatedNotes> {
  const place = await real(resolve(expandHome(from)));
  const reader = await readerFor(place, kind).catch(async (error: unknown) => {
    throw error instanceof DossierError && error.code === "bad-input" ? await withContents(place, error) : error;
  });
  if (kind !== undefined && !(await reader.recognises(place))) {
    throw new DossierError("bad-input", `${place} is not ${kindWords[kind]}.`);
  }
  const sheets = await reader.list(place, signal);
  return { place, reader, sheets: sheets.length };
}

/** The error, extended by what the place holds where that is known: Tana's exports are files, and come in folders. */
async function withContents(place: string, error: DossierError): Promise<DossierError> {
  const inside = statSync(place).isDirectory() ? await recognisedFiles(place) : [];
  const [first] = inside;
  if (!first) return error;
  const names = inside.map(({ name }) => name).join(", ");
  const description = inside.length === 1 ? `which is ${kindWords[first.kind]}` : "which can be connected one by one";
  return new DossierError(error.code, `${error.message} It holds ${names}, ${description}.`, { cause: error });
}

/** Relative to the root where it lies inside, so that the config file is valid on other machines, too. */
function configPlace(root: string, place: string): string {
  if (!isInside(root, place)) return place;
  const inside = relativePath(root, place);
  // A folder whose name is `~` is not the home folder.
  return inside === "" ? "." : inside.startsWith("~") ? `./${inside}` : inside;
}

async function refuseSame(
  root: string,
  other: Origin,
  place: string | undefined,
  live: Live | undefined,
): Promise<void> {
  if (place !== undefined && other.from !== undefined && (await real(resolvePlace(root, other))) === place) {
    throw new DossierError("already-exists", `${place} is connected already, as ${other.name}.`);
  }
  if (live && other.live?.url === live.url && other.live.workspace === live.workspace) {
    throw new DossierError("already-exists", `Tana at ${live.url} is connected already, as ${other.name}.`);
  }
}

/** The file's or folder's own name, of the characters that a name may have. */
function nameFor(place: string | undefined): string {
  if (place === undefined) return "tana";
  const bare = basename(place, extname(place))
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
  return bare === "" ? "notes" : bare;
}

function sentence(name: string, origin: LocatedNotes | undefined, live: Live | undefined): string {
  const source =
    origin &&
    `${origin.place} is ${kindWords[origin.reader.kind]}${origin.sheets > 1 ? ` (${counted(origin.sheets, "file")})` : ""}`;
  const where = live && `Tana Desktop is asked at ${live.url} while it runs`;
  return `${[source, where].filter(Boolean).join("; ")}. It is connected as ${name}.`;
}
