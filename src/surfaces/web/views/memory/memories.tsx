import { useState } from "preact/hooks";
import type { Output } from "../../../../client/client.ts";
import { useMay } from "../../api/caller.ts";
import { perform } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/notice.tsx";
import { percent } from "../../components/numbers.ts";
import { date } from "../../components/time.tsx";
import type { Doing } from "../../components/undo.tsx";
import { restate, useLocation } from "../../shell/router.ts";
import { RecordActions, RecordFacts } from "./record-actions.tsx";
import { type FormValues, RecordForm } from "./record-form.tsx";
import { RecordFilterBar, RecordList, useRecordFilter, useRecords } from "./record-list.tsx";

type ListedMemory = Output<"memories">["memories"][number];
type MemoryChange = Pick<Partial<ListedMemory>, "content" | "category" | "importance" | "tags"> & { pin?: boolean };

export const memoryFields = { content: "What it says", category: "Kind", importance: "Importance", tags: "Tags" };

export function MemoriesPart() {
  const { find, show } = useRecordFilter();
  const { state } = useLocation();
  const pinned = state.get("pinned") === "true";
  const input = { query: find, pinned, all: show === "all", deleted: show === "forgotten" };
  const { pages, doing } = useRecords(input, async (client, page, options) => {
    const { memories, total, next } = await client.memories({ ...input, ...page }, options);
    return { entries: memories, total, next };
  });
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
  const add = (values: FormValues) =>
    doing.run(async () => {
      const { memory, duplicates } = await perform((client) => client.remember(values as { content: string }));
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
          <MemoryForm
            values={{ category: "fact", importance: 0.5 }}
            busy={doing.busy}
            action="Remember"
            onSave={add}
            onCancel={() => setAdding(false)}
          />
        </div>
      )}
      <RecordList
        pages={pages}
        doing={doing}
        noun="memory"
        plural="memories"
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
              values={memory}
              busy={doing.busy}
              action="Save"
              onSave={(changed) => change(memory, changed)}
              onCancel={() => setEdited(undefined)}
            />
          ) : (
            <MemoryCard
              memory={memory}
              doing={doing}
              onEdit={() => setEdited(memory.id)}
              onPin={() => change(memory, { pin: !memory.pinned })}
            />
          )
        }
      </RecordList>
    </>
  );
}

type MemoryFormProps = {
  values: Partial<Pick<ListedMemory, "content" | "category" | "importance" | "tags">>;
  busy: boolean;
  action: string;
  onSave: (values: FormValues) => void;
  onCancel: () => void;
};

function MemoryForm({ values: { content, category, importance, tags }, ...form }: MemoryFormProps) {
  return (
    <RecordForm
      operation="edit"
      fields={memoryFields}
      values={{ content, category, importance, tags }}
      needs={["content"]}
      {...form}
    />
  );
}

type MemoryCardProps = { memory: ListedMemory; doing: Doing; onEdit: () => void; onPin: () => void };

function MemoryCard({ memory, doing, onEdit, onPin }: MemoryCardProps) {
  return (
    <>
      <MemoryFacts memory={memory} />
      <p class="record-text">{memory.content}</p>
      {(memory.notes ?? []).map((note) => (
        <p key={note} class="small record-note">
          {note}
        </p>
      ))}
      <RecordActions id={memory.id} noun="memory" forgotten={memory.forgotten} doing={doing}>
        <Button onClick={onEdit} disabled={doing.busy}>
          Edit
        </Button>
        <Button onClick={onPin} disabled={doing.busy} title="What is pinned is in every brief">
          {memory.pinned ? "Unpin" : "Pin"}
        </Button>
      </RecordActions>
    </>
  );
}

function MemoryFacts({ memory }: { memory: ListedMemory }) {
  const { category, importance, tags, scope, pinned, until, supersededBy } = memory;
  return (
    <RecordFacts source="memory" kind={category} record={memory}>
      {pinned && <span class="badge accent">pinned</span>}
      {scope !== undefined && (
        <span class="badge" title="Where it holds">
          {scope === "~" ? "all workspaces" : `in ${scope}`}
        </span>
      )}
      {until !== undefined && <span class="badge warning">until {date(until)}</span>}
      {supersededBy !== undefined && <span class="badge warning">replaced by {supersededBy}</span>}
      {tags.map((tag) => (
        <span key={tag} class="badge">
          #{tag}
        </span>
      ))}
      <span class="small soft" title="How much it matters">
        importance {percent(importance)}
      </span>
    </RecordFacts>
  );
}
