import { useState } from "preact/hooks";
import type { Output } from "../../../../client/client.ts";
import { useMay } from "../../api/caller.ts";
import { usePages } from "../../api/pages.ts";
import { perform } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/notice.tsx";
import { percent } from "../../components/numbers.ts";
import { Time } from "../../components/time.tsx";
import { date } from "../../components/times.ts";
import { useDoing } from "../../components/undo.tsx";
import { restate, useLocation } from "../../shell/router.ts";
import { forgetting, restoring } from "./forget.ts";
import { type MemoryChange, MemoryForm } from "./memory-form.tsx";
import { RecordFilterBar, RecordList, useRecordFilter } from "./record-list.tsx";

export type ListedMemory = Output<"memories">["memories"][number];

export function MemoriesPart() {
  const { find, show } = useRecordFilter();
  const { state } = useLocation();
  const pinned = state.get("pinned") === "true";
  const asked = { query: find, pinned, all: show === "all", deleted: show === "forgotten" };
  const pages = usePages(JSON.stringify(asked), async (client, after, signal) => {
    const { memories, total, next } = await client.memories({ ...asked, after }, { signal });
    return { entries: memories, total, next };
  });
  const doing = useDoing(pages.again);
  const mayWrite = useMay("write");
  const [edited, setEdited] = useState<string>();
  const [adding, setAdding] = useState(false);
  const change = (memory: ListedMemory, changed: MemoryChange) =>
    doing.run(async () => {
      const { id, content, category, importance, tags, pinned: pin = false } = memory;
      const output = await perform((client) => client.edit({ id, ...changed, force: true }));
      setEdited(undefined);
      if (!output.changed) return { sentence: "Nothing was different." };
      const before = { id, content, category, importance, tags, pin, force: true };
      return { sentence: "The memory was changed.", undo: () => perform((client) => client.edit(before)) };
    });
  const add = (given: MemoryChange & { content: string }) =>
    doing.run(async () => {
      const { memory, duplicates } = await perform((client) => client.remember(given));
      if (!memory) return { sentence: `It is known already: ${duplicates[0]?.memory.content ?? ""}` };
      setAdding(false);
      return { sentence: "Remembered.", undo: () => perform((client) => client.forget({ ids: [memory.id] })) };
    });
  return (
    <>
      <RecordFilterBar noun="memories" withAll>
        <label class="check">
          <input
            type="checkbox"
            checked={pinned}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              restate((next) => (on ? next.set("pinned", "true") : next.delete("pinned")));
            }}
          />
          Pinned only
        </label>
        {mayWrite && !adding && <Button onClick={() => setAdding(true)}>Remember something</Button>}
      </RecordFilterBar>
      {adding && (
        <div class="panel record">
          <MemoryForm busy={doing.busy} action="Remember" onSave={add} onCancel={() => setAdding(false)} />
        </div>
      )}
      <RecordList
        pages={pages}
        doing={doing}
        noun="memory"
        plural="memories"
        keyOf={({ id }) => id}
        empty={
          <Empty title="Nothing was remembered yet">
            <p>
              Agents remember through MCP, people with <code>dossier memory add</code>.
            </p>
          </Empty>
        }
      >
        {(memory) =>
          edited === memory.id ? (
            <MemoryForm
              memory={memory}
              busy={doing.busy}
              action="Save"
              onSave={(changed) => change(memory, changed)}
              onCancel={() => setEdited(undefined)}
            />
          ) : (
            <>
              <MemoryFacts memory={memory} />
              <p class="record-text">{memory.content}</p>
              {(memory.notes ?? []).map((note) => (
                <p key={note} class="small record-note">
                  {note}
                </p>
              ))}
              {mayWrite && (
                <div class="row record-actions">
                  {memory.forgotten === undefined ? (
                    <>
                      <Button onClick={() => setEdited(memory.id)} disabled={doing.busy}>
                        Edit
                      </Button>
                      <Button
                        onClick={() => change(memory, { pin: !memory.pinned })}
                        disabled={doing.busy}
                        title="What is pinned is in every brief"
                      >
                        {memory.pinned ? "Unpin" : "Pin"}
                      </Button>
                      <Button
                        kind="danger"
                        disabled={doing.busy}
                        onClick={() => doing.run(forgetting([memory.id], "memory"))}
                      >
                        Forget
                      </Button>
                    </>
                  ) : (
                    <Button disabled={doing.busy} onClick={() => doing.run(restoring([memory.id], "memory"))}>
                      Restore
                    </Button>
                  )}
                </div>
              )}
            </>
          )
        }
      </RecordList>
    </>
  );
}

function MemoryFacts({ memory }: { memory: ListedMemory }) {
  const { category, importance, tags, scope, pinned, until, supersededBy, forgotten, score } = memory;
  return (
    <p class="row record-facts">
      <span class="source source-memory">{category}</span>
      {pinned && <span class="badge accent">pinned</span>}
      {scope !== undefined && (
        <span class="badge" title="Where it holds">
          {scope === "~" ? "all workspaces" : `in ${scope}`}
        </span>
      )}
      {until !== undefined && <span class="badge warning">until {date(until)}</span>}
      {supersededBy !== undefined && <span class="badge warning">replaced by {supersededBy}</span>}
      {forgotten !== undefined && (
        <span class="badge bad">
          forgotten <Time iso={forgotten} />
        </span>
      )}
      {tags.map((tag) => (
        <span key={tag} class="badge">
          #{tag}
        </span>
      ))}
      <span class="small soft" title="How much it matters">
        importance {percent(importance)}
      </span>
      <span class="small soft">
        <Time iso={memory.created} />
      </span>
      {score !== undefined && <span class="small soft number">score {score.toFixed(2)}</span>}
      <span class="mono soft record-id">{memory.id}</span>
    </p>
  );
}
