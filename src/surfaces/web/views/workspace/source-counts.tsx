import { count } from "../../components/numbers.ts";
import { addressOf } from "../../shell/address.ts";
import { followLink } from "../../shell/router.ts";
import type { Status } from "./workspace-view.tsx";

type Row = { source: string; name: string; amount: number; view?: string; state?: Record<string, string> };

/** How much there is of each source; those that can be browsed lead there. */
export function SourceCounts({ status }: { status: Status }) {
  const { learned, library, kinds } = status;
  const documents = (kinds.document ?? 0) + (kinds.section ?? 0) + (kinds.config ?? 0);
  const rows: Row[] = [
    { source: "code", name: "Code", amount: status.items - documents },
    { source: "file", name: "Documents in the folder", amount: documents },
    { source: "note", name: "Notes", amount: learned.notes },
    { source: "commit", name: "Commits", amount: learned.commits },
    { source: "memory", name: "Memories", amount: learned.memories, view: "memory" },
    {
      source: "experience",
      name: "Experiences",
      amount: learned.experiences,
      view: "memory",
      state: { kind: "experiences" },
    },
    { source: "value", name: "Values", amount: learned.values, view: "memory", state: { kind: "values" } },
    { source: "document", name: "Documents of applications", amount: library.documents },
    { source: "message", name: "Messages", amount: library.messages, view: "threads" },
  ];
  const most = Math.max(1, ...rows.map(({ amount }) => amount));
  return (
    <section class="view-part">
      <h2>Items by source</h2>
      <ul class="source-counts">
        {rows.map(({ source, name, amount, view, state = {} }) => (
          <li key={name}>
            <span class={`source source-${source}`}>
              {view === undefined ? (
                name
              ) : (
                <a
                  href={addressOf(view, new URLSearchParams(state))}
                  onClick={(event) => followLink(event, view, new URLSearchParams(state))}
                >
                  {name}
                </a>
              )}
            </span>
            <span class="source-count-bar" aria-hidden="true">
              <span class={`source-${source}`} style={{ width: `${barShare(amount, most) * 100}%` }} />
            </span>
            <span class="number">{count(amount)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** By the root: twelve memories beside twenty thousand functions are still seen. */
function barShare(amount: number, most: number): number {
  return Math.sqrt(amount / most);
}
