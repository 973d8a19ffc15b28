import { fileURLToPath } from "node:url";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** The folders that a request is about; or the request that the client has to answer first. */
export type Folders = (server: Server, context: ServerContext) => Promise<string[] | InputRequiredResult>;

/** Milliseconds. If a client announces folders and does not list them in time, our own folder is used. */
const patience = 5_000;

/**
 * The client's folders first. Older clients are asked once and notify of changes; newer ones are asked with every
 * request, which they repeat with the answer. `path`: our own folder, used where the client has none, and added to
 * theirs unless it is ".".
 */
export function clientFolders(path: string): Folders {
  let cached: Promise<string[]> | undefined;
  const withOwn = (roots: string[]) => (roots.length === 0 ? [path] : path === "." ? roots : [...roots, path]);
  const watched = new WeakSet<Server>();

  async function ofOlder(server: Server): Promise<string[]> {
    if (!server.getClientCapabilities()?.roots) return [path];
    if (!watched.has(server)) {
      watched.add(server);
      server.setNotificationHandler("notifications/roots/list_changed", () => {
        cached = undefined;
      });
    }
    cached ??= server.listRoots(undefined, { timeout: patience }).then(
      ({ roots }) => withOwn(roots.flatMap(({ uri }) => folderOf(uri) ?? [])),
      // The client cannot list them, for whatever reason: the next request asks again.
      () => {
        cached = undefined;
        return [path];
      },
    );
    return cached;
  }

  return async (server, { mcpReq: { envelope, inputResponses } }) => {
    if (envelope === undefined) return ofOlder(server);
    const capabilities = (envelope as Record<string, { roots?: object } | undefined>)[CLIENT_CAPABILITIES_META_KEY];
    if (!capabilities?.roots) return [path];
    const answer = inputResponse(inputResponses, "roots");
    if (answer.kind === "roots") return withOwn(answer.roots.flatMap(({ uri }) => folderOf(uri) ?? []));
    if (inputResponses !== undefined) return [path];
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
  };
}

function folderOf(uri: unknown): string | undefined {
  if (typeof uri !== "string" || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  if (url.protocol !== "file:" || (url.host !== "" && process.platform !== "win32")) return undefined;
  try {
    return fileURLToPath(url);
  } catch (error) {
    // Malformed, such as an encoded slash: not a path.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
