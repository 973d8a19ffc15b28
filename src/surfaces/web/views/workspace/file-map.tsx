import { useMemo, useState } from "preact/hooks";
import { useRequest } from "../../api/request.ts";
import { Bar, Legend } from "../../components/bar.tsx";
import { FailureNotice, Loading } from "../../components/notice.tsx";
import { bytes, count, counted, percent, short } from "../../components/numbers.ts";
import { followLink, restate, useLocation } from "../../shell/router.ts";
import { languageColours } from "./languages.ts";
import { type FileEntry, Treemap } from "./treemap.tsx";

const mostEntries = 300;
const shownLanguages = 9;

/** Where the tokens of the files are: by language, and folder by folder. */
export function FileMap({ revision }: { revision: number }) {
  const { state } = useLocation();
  const under = state.get("folder") ?? "";
  const [chosen, setChosen] = useState<FileEntry>();
  const { result, failure, again } = useRequest(`files ${revision} ${under}`, (client, signal) =>
    client.files({ under, limit: mostEntries }, { signal, progress: () => undefined }),
  );
  const languages = result?.languages ?? [];
  const colourOf = useMemo(() => languageColours(languages), [result]);
  const enter = (folder: string) => {
    setChosen(undefined);
    restate((next) => (folder === "" ? next.delete("folder") : next.set("folder", folder)));
  };
  const open = (entry: FileEntry) => (entry.kind === "folder" ? enter(entry.path) : setChosen(entry));
  if (failure?.code === "not-found") {
    return (
      <section class="view-part">
        <h2>Files by tokens</h2>
        <p class="soft">
          There is no folder {under} any more.{" "}
          <button class="link-button" type="button" onClick={() => enter("")}>
            Show all of it
          </button>
        </p>
      </section>
    );
  }
  return (
    <section class="view-part">
      <div class="row spread">
        <h2>Files by tokens</h2>
        {result && (
          <span class="small soft number">
            {counted(result.files, "file")} · {count(result.tokens)} tokens · {bytes(result.bytes)}
          </span>
        )}
      </div>
      {failure && <FailureNotice failure={failure} again={again} />}
      {!result && !failure && <Loading what="Counting tokens" />}
      {result && (
        <>
          <Path under={result.under} onEnter={enter} />
          <Treemap
            entries={result.entries}
            under={result.under}
            total={result.tokens}
            colourOf={colourOf}
            onOpen={open}
          />
          {chosen && <Chosen entry={chosen} total={result.tokens} />}
          <div class="languages">
            <Bar
              whole={result.tokens}
              label={languages.map(({ language, tokens }) => `${language || "other"} ${count(tokens)}`).join(", ")}
              parts={languages.map(({ language, tokens }) => ({
                name: language || "other",
                amount: tokens,
                colour: colourOf(language),
              }))}
            />
            <Legend
              parts={languages.slice(0, shownLanguages).map(({ language, tokens, files }) => ({
                name: language || "other",
                colour: colourOf(language),
                amount: `${short(tokens)} in ${counted(files, "file")}`,
              }))}
            />
          </div>
        </>
      )}
    </section>
  );
}

function Path({ under, onEnter }: { under: string; onEnter: (folder: string) => void }) {
  if (under === "") return null;
  const parts = under.split("/");
  return (
    <nav class="crumbs mono" aria-label="Folder">
      <button class="link-button" type="button" onClick={() => onEnter("")}>
        all
      </button>
      {parts.map((part, at) => (
        <span key={parts.slice(0, at + 1).join("/")}>
          {" / "}
          {at === parts.length - 1 ? (
            <b>{part}</b>
          ) : (
            <button class="link-button" type="button" onClick={() => onEnter(parts.slice(0, at + 1).join("/"))}>
              {part}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}

function Chosen({ entry, total }: { entry: FileEntry; total: number }) {
  const graph = new URLSearchParams({ node: entry.path });
  return (
    <p class="chosen-file" role="status">
      <span class="mono">
        {entry.kind === "rest"
          ? `${counted(entry.files, "small file")} of ${entry.path || "the workspace"}`
          : entry.path}
      </span>
      <span class="number">{count(entry.tokens)} tokens</span>
      <span class="soft number">{percent(entry.tokens / Math.max(1, total))}</span>
      {entry.kind === "file" && (
        <a href={`#/graph?${graph.toString()}`} onClick={(event) => followLink(event, "graph", graph)}>
          Show what it is linked with
        </a>
      )}
    </p>
  );
}
