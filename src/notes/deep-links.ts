import { basename } from "node:path";
import type { Note } from "../note.ts";
import { percentDecoded } from "../text/percent-decoding.ts";
import { type Origin, originsOf, readConfig, resolvePlace } from "../workspace/config/config.ts";
import { type Flavour, flavourOf } from "./readers/vault/flavour.ts";

/** The link that opens a note in its application; undefined where there is none. */
export type LinkOf = (note: LinkedNote) => string | undefined;

type LinkedNote = Pick<Note, "key" | "place"> & { origin: string };

type Application = { kind: "tana" } | { kind: "obsidian" | "logseq"; vault: string };

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The deep links of a workspace's notes. `kinds`: the kind of each origin when it was read. */
export async function deepLinks(root: string, kinds: ReadonlyMap<string, string>): Promise<LinkOf> {
  const origins = await originsOf(root, await readConfig(root));
  const applications = new Map<string, Application>();
  for (const origin of origins) {
    const application = await applicationOf(root, origin, origin.kind ?? kinds.get(origin.name));
    if (application) applications.set(origin.name, application);
  }
  return (note) => linkOf(note, applications.get(note.origin));
}

async function applicationOf(root: string, origin: Origin, kind: string | undefined): Promise<Application | undefined> {
  if (kind === "tana-export" || kind === "supertag") return { kind: "tana" };
  if (origin.from === undefined) return origin.live ? { kind: "tana" } : undefined;
  const place = resolvePlace(root, origin);
  const flavour: Flavour | undefined = kind === "vault" ? await flavourOf(place) : undefined;
  if (flavour !== "obsidian" && flavour !== "logseq") return undefined;
  return { kind: flavour, vault: basename(place) };
}

function linkOf({ key, place }: LinkedNote, application: Application | undefined): string | undefined {
  if (!application) return undefined;
  if (application.kind === "tana") return `https://app.tana.inc?nodeid=${encodeURIComponent(key)}`;
  const vault = encodeURIComponent(application.vault);
  const path = (place?.path ?? key).replace(/#.*$/s, "").replace(/\.md$/i, "");
  if (application.kind === "obsidian") return `obsidian://open?vault=${vault}&file=${encodeURIComponent(path)}`;
  const block = key.slice(key.lastIndexOf("#") + 1);
  if (uuid.test(block)) return `logseq://graph/${vault}?block-id=${block}`;
  const page = path.slice(path.lastIndexOf("/") + 1).replaceAll("___", "/");
  return `logseq://graph/${vault}?page=${encodeURIComponent(percentDecoded(page))}`;
}
