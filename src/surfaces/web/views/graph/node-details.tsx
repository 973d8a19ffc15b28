import { useRequest } from "../../api/request.ts";
import { go } from "../../shell/router.ts";
import { type Graph, type GraphNode, placeOf, wordFor } from "./relations.ts";

const mostLinks = 8;

type Props = { graph: Graph; node: GraphNode; onCentre: (id: string) => void };

/** One item: where it is, what it is linked with here, and how it begins. */
export function NodeDetails({ graph, node, onCentre }: Props) {
  const byId = new Map(graph.nodes.map((each) => [each.id, each]));
  const links = graph.edges
    .filter(({ from, to }) => from === node.id || to === node.id)
    .map(({ from, to, relation }) => ({
      word: wordFor(relation, from === node.id),
      other: byId.get(from === node.id ? to : from)!,
    }))
    .sort((a, b) => a.other.distance - b.other.distance || (a.word < b.word ? -1 : 1));
  return (
    <section class="panel node-details" aria-label={`Details of ${node.name}`}>
      <p class="row">
        <span class={`source source-${node.source}`}>{node.source}</span>
        <span class="badge">{node.kind}</span>
        {node.score !== undefined && <span class="badge accent">score {node.score.toFixed(2)}</span>}
      </p>
      <h2>{node.name}</h2>
      <p class="mono soft small">{placeOf(node)}</p>
      {links.length > 0 && (
        <ul class="node-links small">
          {links.slice(0, mostLinks).map(({ word, other }) => (
            <li key={`${word} ${other.id}`}>
              <span class="soft">{word}</span>{" "}
              <button class="link-button" type="button" onClick={() => onCentre(other.id)}>
                {other.name}
              </button>
            </li>
          ))}
          {links.length > mostLinks && <li class="soft">and {links.length - mostLinks} more</li>}
        </ul>
      )}
      <p class="row">
        <button
          class="button"
          type="button"
          onClick={() => go("ask", new URLSearchParams({ query: isNamed(node) ? node.name : node.path }))}
        >
          Ask about it
        </button>
      </p>
      <Beginning id={node.id} />
    </section>
  );
}

function isNamed({ kind }: GraphNode): boolean {
  return kind !== "file" && kind !== "document" && kind !== "config";
}

const mostLines = 40;

function Beginning({ id }: { id: string }) {
  const { result } = useRequest(`item ${id}`, (client, signal) => client.item({ item: id }, { signal }));
  if (!result || result.id !== id) return null;
  const lines = result.text.split("\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre class="node-text" tabIndex={0}>
      {lines.slice(0, mostLines).join("\n")}
      {lines.length > mostLines && `\n… ${lines.length - mostLines} more lines`}
    </pre>
  );
}
