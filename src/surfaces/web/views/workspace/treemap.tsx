import { useMemo, useRef, useState } from "preact/hooks";
import type { Output } from "../../../../client/client.ts";
import { count, percent, short } from "../../components/numbers.ts";
import { useWidth } from "../../components/width.ts";
import type { ColourOf } from "./languages.ts";
import { type Cell, treemap } from "./treemap-layout.ts";

export type FileEntry = Output<"files">["entries"][number];

type Props = {
  entries: FileEntry[];
  under: string;
  total: number;
  colourOf: ColourOf;
  onOpen: (entry: FileEntry) => void;
};

/** Files by their tokens. One cell is reached by Tab, the others by the arrow keys; Enter opens it. */
export function Treemap({ entries, under, total, colourOf, onOpen }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const height = Math.round(Math.min(620, Math.max(340, width * 0.55)));
  const { cells, frames } = useMemo(() => treemap(entries, under, width, height), [entries, under, width, height]);
  const [current, setCurrent] = useState(0);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = event.key === "Home" ? 0 : event.key === "End" ? cells.length - 1 : current + (step ?? 0);
    if (step === undefined && event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    const next = Math.max(0, Math.min(cells.length - 1, at));
    setCurrent(next);
    frame.current?.querySelector<SVGElement>(`[data-cell="${next}"]`)?.focus();
  };
  return (
    <div class="treemap" ref={frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: no other element holds an SVG's parts */}
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label="Files by tokens; arrow keys move, Enter opens"
        onKeyDown={move}
      >
        {frames.map(({ path, name, titled, ...place }) => (
          <g key={path}>
            {titled && <rect class="treemap-frame" {...place} rx={4} />}
            {titled && (
              <text class="treemap-title" x={place.x + 6} y={place.y + 13}>
                {fitting(`${name}/`, place.width - 10)}
              </text>
            )}
          </g>
        ))}
        {cells.map((cell, at) => (
          <TreemapCell
            key={`${cell.entry.kind} ${cell.entry.path}`}
            cell={cell}
            at={at}
            reached={at === Math.min(current, cells.length - 1)}
            total={total}
            colour={colourOf(cell.entry.language)}
            onOpen={() => {
              setCurrent(at);
              onOpen(cell.entry);
            }}
          />
        ))}
        {cells.map((cell) => (
          <CellLabel key={`${cell.entry.kind} ${cell.entry.path}`} cell={cell} />
        ))}
      </svg>
    </div>
  );
}

/** Apart from the cells, which are called by all that is known of them. */
function CellLabel({ cell: { entry, x, y, width, height } }: { cell: Cell<FileEntry> }) {
  if (width <= 46 || height <= 18) return null;
  const { path, kind, files, tokens } = entry;
  const name = kind === "rest" ? `… ${count(files)} files` : path.slice(path.lastIndexOf("/") + 1);
  return (
    <g class="treemap-label">
      <text class="treemap-name" x={x + 6} y={y + 15}>
        {fitting(kind === "folder" ? `${name}/` : name, width - 12)}
      </text>
      {height > 36 && (
        <text class="treemap-tokens" x={x + 6} y={y + 30}>
          {short(tokens)}
        </text>
      )}
    </g>
  );
}

type CellProps = {
  cell: Cell<FileEntry>;
  at: number;
  reached: boolean;
  total: number;
  colour: string;
  onOpen: () => void;
};

function TreemapCell({ cell, at, reached, total, colour, onOpen }: CellProps) {
  const { entry, x, y, width, height } = cell;
  const { path, kind, tokens, files, language } = entry;
  const content = kind === "file" ? (language ?? "text") : `${count(files)} files`;
  const words = `${path === "" ? "the rest" : path}${kind === "folder" ? "/" : ""}, ${content}, ${count(tokens)} tokens, ${percent(tokens / Math.max(1, total))}`;
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onOpen();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an SVG has no buttons
    <g
      class={`treemap-cell ${kind} ${colour}`}
      data-cell={at}
      role="button"
      tabindex={reached ? 0 : -1}
      aria-label={words}
      onClick={onOpen}
      onKeyDown={press}
    >
      <title>{words}</title>
      <rect x={x + 1} y={y + 1} width={Math.max(0, width - 2)} height={Math.max(0, height - 2)} rx={3} />
    </g>
  );
}

/** Pixels of a letter of these labels, on average. */
const letter = 6.4;

function fitting(text: string, width: number): string {
  const room = Math.floor(width / letter);
  if (text.length <= room) return text;
  return room < 3 ? "" : `${text.slice(0, room - 1)}…`;
}
