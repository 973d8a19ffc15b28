import { relative } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

/**
 * One program as several files, since V8 reads and compiles a file as a whole: what a question never calls cost it as
 * much to load as what it calls. A module is in one of them. Each file exports its modules that another one imports,
 * and asks for others by `otherFile(name, path)`, which the loader of the files gives to all.
 */

type Import = { path: string; isDynamic: boolean };

/** What a file holds: all that its roots import by statements and no file before it holds. */
type Part = { name: string; roots: readonly string[] };

/** The options that build the files. The first holds `entry` as well, the last all that no other holds. */
export async function splitProgram(
  options: BuildOptions & { absWorkingDir: string; plugins: Plugin[] },
  entry: string,
  parts: readonly Part[],
  last: string,
): Promise<BuildOptions[]> {
  const imports = await importsOf(options, entry);
  const fileOf = new Map<string, string>();
  for (const [index, { name, roots }] of parts.entries()) {
    for (const path of closureOf(imports, index === 0 ? [entry, ...roots] : roots)) {
      if (!fileOf.has(path)) fileOf.set(path, name);
    }
  }
  const nameOf = (path: string) => fileOf.get(path) ?? (imports.has(path) ? last : undefined);
  const asked = new Set<string>();
  for (const [path, imported] of imports) {
    for (const { path: target } of imported) if (nameOf(path) !== nameOf(target)) asked.add(target);
  }
  return [...parts.map(({ name }) => name), last].map((name, index) => {
    const start = index === 0 ? `export * from "./${entry}";` : "";
    const modules = [...asked].filter((path) => nameOf(path) === name);
    return {
      ...options,
      entryPoints: { [name]: name },
      plugins: [
        ...options.plugins,
        entryFile(name, `${start}export const modules = ${tableOf(modules)};`, options.absWorkingDir),
        otherFiles(name, nameOf, options.absWorkingDir),
      ],
    };
  });
}

async function importsOf(options: BuildOptions, entry: string): Promise<Map<string, Import[]>> {
  const { metafile } = await build({ ...options, entryPoints: [entry], metafile: true });
  return new Map(
    Object.entries(metafile!.inputs).map(([path, { imports }]) => [
      path,
      imports
        .filter(({ external }) => !external)
        .map((each) => ({ path: each.path, isDynamic: each.kind === "dynamic-import" })),
    ]),
  );
}

/** What these modules import by statements, and what that imports in turn. */
function closureOf(imports: ReadonlyMap<string, Import[]>, from: readonly string[]): Set<string> {
  const closure = new Set<string>();
  const waiting = [...from];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (closure.has(path)) continue;
    const imported = imports.get(path);
    if (!imported) throw new Error(`The program does not import ${path}.`);
    closure.add(path);
    waiting.push(...imported.filter(({ isDynamic }) => !isDynamic).map((each) => each.path));
  }
  return closure;
}

/** Functions, so that a module runs when it is first asked for. */
function tableOf(paths: string[]): string {
  const rows = paths.sort().map((path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(`./${path}`)})`);
  return `{${rows.join(",")}}`;
}

function entryFile(name: string, contents: string, root: string): Plugin {
  return {
    name: "entry-file",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ kind }) =>
        kind === "entry-point" ? { path: name, namespace: "entry-file" } : undefined,
      );
      onLoad({ filter: /^/, namespace: "entry-file" }, () => ({ contents, resolveDir: root }));
    },
  };
}

/** Asks the other files for their modules. */
function otherFiles(name: string, nameOf: (path: string) => string | undefined, root: string): Plugin {
  const isOther = (path: string) => (nameOf(path) ?? name) !== name;
  return {
    name: "other-file",
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^/ }, async ({ path, pluginData, kind, ...place }) => {
        if (kind === "entry-point" || place.namespace === "entry-file" || pluginData === "asked") return undefined;
        const found = await resolve(path, { kind, ...place, pluginData: "asked" });
        if (found.external || found.errors.length > 0) return undefined;
        const inside = relative(root, found.path);
        return isOther(inside) ? { path: inside, namespace: "other-file" } : undefined;
      });
      onLoad({ filter: /^/, namespace: "other-file" }, ({ path }) => ({
        contents: `module.exports = otherFile(${JSON.stringify(nameOf(path))}, ${JSON.stringify(path)});`,
      }));
    },
  };
}
