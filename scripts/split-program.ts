import { relative } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

/**
 * One program as two files, since V8 reads the compiled code of a file as a whole: what a question never calls cost it as much to load as what it calls.
 * A module is in one of the two. Each file exports its modules that the other one imports, and asks for the other's by `otherFile(path)`,
 * which the loader of the files gives to both.
 */

type Import = { path: string; isDynamic: boolean };

/** The options that build the two files. The first holds what `entry` and `roots` import by statements, the second the rest. */
export async function splitProgram(
  options: BuildOptions & { absWorkingDir: string; plugins: Plugin[] },
  [firstName, secondName]: [string, string],
  entry: string,
  roots: readonly string[],
): Promise<[BuildOptions, BuildOptions]> {
  const imports = await importsOf(options, entry);
  const first = closureOf(imports, [entry, ...roots]);
  const toFirst = new Set<string>();
  const toSecond = new Set<string>();
  for (const [path, imported] of imports) {
    for (const { path: target } of imported) {
      if (first.has(path) !== first.has(target)) (first.has(target) ? toFirst : toSecond).add(target);
    }
  }
  const file = (name: string, start: string, modules: ReadonlySet<string>, isOther: (path: string) => boolean) => ({
    ...options,
    entryPoints: { [name]: name },
    plugins: [
      ...options.plugins,
      entryFile(name, `${start}export const modules = ${tableOf(modules)};`, options.absWorkingDir),
      otherFile(isOther, options.absWorkingDir),
    ],
  });
  return [
    file(firstName, `export * from "./${entry}";`, toFirst, (path) => !first.has(path)),
    file(secondName, "", toSecond, (path) => first.has(path)),
  ];
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
function tableOf(paths: ReadonlySet<string>): string {
  const rows = [...paths]
    .sort()
    .map((path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(`./${path}`)})`);
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

/** Asks the other file for its modules. */
function otherFile(isOther: (path: string) => boolean, root: string): Plugin {
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
        contents: `module.exports = otherFile(${JSON.stringify(path)});`,
      }));
    },
  };
}
