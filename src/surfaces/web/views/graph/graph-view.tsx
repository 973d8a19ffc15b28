import "../shared.css";
import "./graph.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { useRequest } from "../../api/request.ts";
import { Empty, FailureNotice, Loading, Notice } from "../../components/notice.tsx";
import { count, counted } from "../../components/numbers.ts";
import { useAnswer } from "../../question/answer.ts";
import { go, restate, useLocation } from "../../shell/router.ts";
import { GraphControls } from "./graph-controls.tsx";
import { GraphList } from "./graph-list.tsx";
import { GraphPicture } from "./graph-picture.tsx";
import { NodeDetails } from "./node-details.tsx";
import type { LinkRelation } from "./relations.ts";

const typingPause = 250;

/** The links around the items that a question finds, or around one item. */
export function GraphView() {
  const { state } = useLocation();
  const { question } = useAnswer();
  const node = state.get("node") ?? undefined;
  const query = node ?? question.query?.trim() ?? "";
  const depth = Number(state.get("steps") ?? 2);
  const limit = Number(state.get("most") ?? 100);
  const relations = state.getAll("relation") as LinkRelation[];
  const input = { query, depth, limit, ...(relations.length > 0 && { relations }) };
  const { result, failure, loading, again } = useRequest(
    query === "" ? undefined : JSON.stringify(input),
    (client, signal) => client.graph(input, { signal }),
    typingPause,
  );
  const seen = useSeenRelations(query, result?.relations);
  const [pointed, setPointed] = useState<string>();
  useEffect(() => setPointed(undefined), [result]);
  const centre = (id: string) => {
    const next = new URLSearchParams(state);
    next.set("node", id);
    // The back button leads to the previous centre.
    go("graph", next);
  };
  if (query === "") {
    return (
      <Empty title="What is linked with what?">
        <p>Type a question, a name such as Cart.total, a path or an id: what is around it is drawn here.</p>
      </Empty>
    );
  }
  const first = result?.nodes[0];
  return (
    <div class="graph" aria-busy={loading}>
      <GraphControls depth={depth} limit={limit} relations={relations} counts={seen} now={result?.relations ?? {}} />
      {failure && <FailureNotice failure={failure} again={again} />}
      {!result && !failure && <Loading what="Following links" />}
      {node !== undefined && (
        <p class="graph-centred small">
          <span>
            Around <b>{first?.name ?? node}</b>
          </span>
          {(question.query ?? "") !== "" && (
            <button class="link-button" type="button" onClick={() => restate((next) => next.delete("node"))}>
              Back to the question
            </button>
          )}
        </p>
      )}
      {result && result.nodes.length === 0 && (
        <Empty title="Nothing here matches">
          <p>{result.warnings.at(-1)}</p>
        </Empty>
      )}
      {result && result.leftOut > 0 && (
        <Notice>
          <p>
            {counted(result.nodes.length, "item")} shown, the nearest ones. Links lead to {count(result.leftOut)} more.
            {limit < 500 && " Show more items, or fewer relations."}
          </p>
        </Notice>
      )}
      {result && first && (
        <div class="graph-parts">
          <GraphPicture graph={result} pointed={pointed} onPoint={setPointed} onCentre={centre} />
          <aside class="graph-side">
            <NodeDetails graph={result} node={first} onCentre={centre} />
            <GraphList graph={result} pointed={pointed} onPoint={setPointed} onCentre={centre} />
          </aside>
        </div>
      )}
    </div>
  );
}

/** The relations that were there before some were left out: they can be chosen again. */
function useSeenRelations(query: string, now: Record<string, number> | undefined): string[] {
  const seen = useRef({ query, names: new Set<string>() });
  if (seen.current.query !== query) seen.current = { query, names: new Set() };
  for (const name of Object.keys(now ?? {})) seen.current.names.add(name);
  return [...seen.current.names].sort();
}
