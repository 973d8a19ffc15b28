import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useWidth } from "../../components/width.ts";
import { crossPath, radialLayout, treePath } from "./radial-layout.ts";
import { colourOf, type Graph, type GraphNode, placeOf } from "./relations.ts";
import { useZoom, type Zoom } from "./zoom.ts";

type Props = {
  graph: Graph;
  pointed: string | undefined;
  onPoint: (id: string | undefined) => void;
  onCentre: (id: string) => void;
};

/** Letters of a label that fit between two rings. */
const longestLabel = 19;
const usualLetters = 11;
/** Pixels that a label needs on the screen to be read. */
const readable = 7;

/** One node is reached by Tab, the others by the arrow keys; Enter centres the graph there. */
export function GraphPicture({ graph, pointed, onPoint, onCentre }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const height = Math.round(Math.min(900, Math.max(380, width)));
  const layout = useMemo(() => radialLayout(graph.nodes, graph.edges), [graph]);
  const zoom = useZoom(width, height, layout.extent);
  const [current, setCurrent] = useState(0);
  useEffect(() => setCurrent(0), [graph]);
  const near = useMemo(() => neighboursOf(graph, pointed), [graph, pointed]);
  const isReadable = zoom.scale * usualLetters >= readable;
  const letters = isReadable ? usualLetters : usualLetters / zoom.scale;
  const isLabelled = ({ id, distance }: GraphNode) => isReadable || near.has(id) || distance === 0;
  const pointedNode = graph.nodes.find(({ id }) => id === pointed);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (current + step + graph.nodes.length) % graph.nodes.length;
    setCurrent(next);
    frame.current?.querySelector<SVGElement>(`[data-node="${next}"]`)?.focus();
  };
  return (
    <div class="graph-picture" ref={frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: no other element holds an SVG's parts */}
      <svg
        width={width}
        height={height}
        role="group"
        aria-label="What is linked with what; arrow keys move, Enter centres"
        class={pointed === undefined ? undefined : "pointing"}
        onKeyDown={move}
        {...zoom.handlers}
      >
        <g transform={zoom.transform}>
          <g>
            {layout.rings.map((radius) => (
              <circle key={radius} class="graph-ring" r={radius} />
            ))}
            <PictureEdges graph={graph} layout={layout} pointed={pointed} />
          </g>
          {graph.nodes.map((node, at) => (
            <PictureNode
              key={node.id}
              node={node}
              at={at}
              place={layout.places.get(node.id)!}
              reached={at === Math.min(current, graph.nodes.length - 1)}
              labelled={isLabelled(node)}
              letters={letters}
              near={near.has(node.id)}
              onPoint={onPoint}
              onCentre={() => onCentre(node.id)}
            />
          ))}
          {graph.nodes.map(
            (node) =>
              isLabelled(node) && (
                <NodeLabel
                  key={node.id}
                  node={node}
                  place={layout.places.get(node.id)!}
                  letters={letters}
                  near={near.has(node.id)}
                />
              ),
          )}
        </g>
      </svg>
      <p class="graph-caption small" aria-hidden="true">
        {pointedNode && (
          <>
            <b>{pointedNode.name}</b> <span class="soft">{pointedNode.kind}</span>{" "}
            <span class="mono soft">{placeOf(pointedNode)}</span>
          </>
        )}
      </p>
      <ZoomButtons zoom={zoom} />
    </div>
  );
}

type EdgesProps = { graph: Graph; layout: ReturnType<typeof radialLayout>; pointed: string | undefined };

function PictureEdges({ graph, layout, pointed }: EdgesProps) {
  const { places, parents } = layout;
  return (
    <>
      {graph.edges.map(({ from, to, relation }) => {
        const [a, b] = [places.get(from)!, places.get(to)!];
        const isTree = parents.get(to) === from || parents.get(from) === to;
        const isNear = pointed !== undefined && (from === pointed || to === pointed);
        const [inner, outer] = a.radius <= b.radius ? [a, b] : [b, a];
        return (
          <path
            key={`${from} ${relation} ${to}`}
            class={`graph-edge ${colourOf(relation)} ${isTree ? "tree" : "cross"} ${isNear ? "near" : ""}`}
            d={isTree ? treePath(inner, outer) : crossPath(a, b)}
          />
        );
      })}
    </>
  );
}

function ZoomButtons({ zoom }: { zoom: Zoom }) {
  return (
    <div class="graph-zoom">
      <button class="button" type="button" aria-label="Larger" title="Larger" onClick={() => zoom.by(1.35)}>
        +
      </button>
      <button class="button" type="button" aria-label="Smaller" title="Smaller" onClick={() => zoom.by(1 / 1.35)}>
        −
      </button>
      <button class="button" type="button" onClick={zoom.fit}>
        Fit
      </button>
    </div>
  );
}

type NodeProps = {
  node: GraphNode;
  at: number;
  place: { x: number; y: number; angle: number; radius: number };
  reached: boolean;
  labelled: boolean;
  /** Size of its label. */
  letters: number;
  near: boolean;
  onPoint: (id: string | undefined) => void;
  onCentre: () => void;
};

function PictureNode({ node, at, place, reached, labelled, letters, near, onPoint, onCentre }: NodeProps) {
  const { id, name, source, kind, distance, links } = node;
  const words = `${name}, ${kind}, ${placeOf(node)}, ${links} links, ${distance === 0 ? "centre" : `${distance} away`}`;
  const size = sizeOf(distance, links);
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onCentre();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an SVG has no buttons
    <g
      class={`graph-node source-${source} ${near ? "near" : ""} ${distance === 0 ? "centre" : ""}`}
      transform={`translate(${place.x},${place.y})`}
      data-node={at}
      role="button"
      tabindex={reached ? 0 : -1}
      aria-label={words}
      onClick={onCentre}
      onKeyDown={press}
      onMouseEnter={() => onPoint(id)}
      onMouseLeave={() => onPoint(undefined)}
      onFocus={() => onPoint(id)}
      onBlur={() => onPoint(undefined)}
    >
      <title>{words}</title>
      <circle class="graph-target" r={Math.max(9, size + 3)} />
      <circle class="graph-dot" r={size} />
      {labelled && (
        <rect
          class="graph-target"
          transform={place.radius === 0 ? undefined : `rotate(${(place.angle * 180) / Math.PI})`}
          x={size}
          y={-letters / 2}
          width={Math.min(longestLabel, name.length) * letters * 0.55}
          height={letters}
        />
      )}
    </g>
  );
}

/**
 * Labels turn with their nodes, never upside down. Drawn apart from the nodes, which have full descriptions for
 * screen readers.
 */
function NodeLabel({ node, place, letters, near }: Pick<NodeProps, "node" | "place" | "letters" | "near">) {
  const { name, distance, links } = node;
  const isMiddle = place.radius === 0;
  const isLeft = Math.cos(place.angle) < -1e-9;
  const turn = isMiddle ? "" : ` rotate(${(place.angle * 180) / Math.PI + (isLeft ? 180 : 0)})`;
  return (
    <text
      class={`graph-label ${near ? "near" : ""} ${distance === 0 ? "centre" : ""}`}
      transform={`translate(${place.x},${place.y})${turn}`}
      x={isMiddle ? 0 : (isLeft ? -1 : 1) * (sizeOf(distance, links) + 5)}
      y={isMiddle ? -16 : letters / 3}
      font-size={distance === 0 ? letters + 2 : letters}
      text-anchor={isMiddle ? "middle" : isLeft ? "end" : "start"}
    >
      {name.length > longestLabel ? `${name.slice(0, longestLabel - 1)}…` : name}
    </text>
  );
}

function sizeOf(distance: number, links: number): number {
  return distance === 0 ? 9 : 4 + Math.min(4, Math.sqrt(links));
}

/** An item with all that it is linked with. */
function neighboursOf({ edges }: Graph, id: string | undefined): Set<string> {
  if (id === undefined) return new Set();
  const near = edges.filter(({ from, to }) => from === id || to === id).flatMap(({ from, to }) => [from, to]);
  return new Set([id, ...near]);
}
