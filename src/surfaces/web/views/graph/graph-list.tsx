import { useState } from "preact/hooks";
import { count, counted } from "../../components/numbers.ts";
import { type Graph, placeOf } from "./relations.ts";

type Props = {
  graph: Graph;
  pointed: string | undefined;
  onPoint: (id: string | undefined) => void;
  onCentre: (id: string) => void;
};

/** The same as the picture, in words: every item is reached by keyboard. */
export function GraphList({ graph, pointed, onPoint, onCentre }: Props) {
  const [words, setWords] = useState("");
  const needle = words.trim().toLowerCase();
  const isWanted = (text: string) => needle === "" || text.toLowerCase().includes(needle);
  const matches = graph.nodes.filter(({ name, path, kind }) => isWanted(`${name} ${path} ${kind}`));
  const distances = [...new Set(matches.map(({ distance }) => distance))];
  return (
    <section aria-label="Items">
      <div class="row spread">
        <h2>{counted(graph.nodes.length, "item")}</h2>
        <input
          type="search"
          class="graph-find"
          placeholder="Filter"
          aria-label="Filter the items"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      <div class="graph-list">
        {distances.map((distance) => (
          <div key={distance}>
            <h3 class="soft">
              {distance === 0 ? (graph.found ? "Found" : "Centre") : counted(distance, "link") + " away"}
            </h3>
            <ul>
              {matches
                .filter((node) => node.distance === distance)
                .map((node) => (
                  <li key={node.id}>
                    <button
                      type="button"
                      class={`graph-row ${node.id === pointed ? "pointed" : ""}`}
                      title="Centre the graph here"
                      onClick={() => onCentre(node.id)}
                      onMouseEnter={() => onPoint(node.id)}
                      onMouseLeave={() => onPoint(undefined)}
                      onFocus={() => onPoint(node.id)}
                      onBlur={() => onPoint(undefined)}
                    >
                      <span class={`source source-${node.source}`}>
                        <span class="unseen">{node.source}</span>
                      </span>
                      <span class="graph-row-name">{node.name}</span>
                      <span class="graph-row-place mono soft">{placeOf(node)}</span>
                      <span class="number soft" title="Links in this picture">
                        {count(node.links)}
                      </span>
                    </button>
                  </li>
                ))}
            </ul>
          </div>
        ))}
        {matches.length === 0 && <p class="soft small">No item has that in its name or path.</p>}
      </div>
    </section>
  );
}
