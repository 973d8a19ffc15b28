import { useState } from "preact/hooks";
import { useInputs } from "../../api/description.ts";
import { Button } from "../../components/button.tsx";
import { percent } from "../../components/numbers.ts";
import type { ListedMemory } from "./memories.tsx";

export type MemoryChange = {
  content?: string;
  category?: ListedMemory["category"];
  importance?: number;
  tags?: string[];
  pin?: boolean;
};

type Props = {
  memory?: ListedMemory;
  busy: boolean;
  action: string;
  onSave: (change: MemoryChange & { content: string }) => void;
  onCancel: () => void;
};

/** What a memory says, and what is known of it. The kinds are those that the service takes. */
export function MemoryForm({ memory, busy, action, onSave, onCancel }: Props) {
  const categories = (useInputs("edit")?.properties.category?.enum ?? []) as ListedMemory["category"][];
  const [content, setContent] = useState(memory?.content ?? "");
  const [category, setCategory] = useState<ListedMemory["category"]>(memory?.category ?? "fact");
  const [importance, setImportance] = useState(memory?.importance ?? 0.5);
  const [tags, setTags] = useState((memory?.tags ?? []).join(", "));
  const submit = (event: Event) => {
    event.preventDefault();
    const list = tags.split(",").flatMap((tag) => (tag.trim() === "" ? [] : [tag.trim()]));
    onSave({ content: content.trim(), category, importance, tags: list });
  };
  return (
    <form class="memory-form" onSubmit={submit}>
      <label class="field">
        What it says
        <textarea
          rows={4}
          required
          value={content}
          ref={focused}
          onInput={(event) => setContent(event.currentTarget.value)}
        />
      </label>
      <div class="row">
        <label class="field">
          Kind
          <select
            value={category}
            onChange={(event) => setCategory(event.currentTarget.value as ListedMemory["category"])}
          >
            {[...new Set([category, ...categories])].map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Importance, {percent(importance)}
          <input
            type="range"
            min={0}
            max={1}
            step={0.05}
            value={importance}
            onInput={(event) => setImportance(Number(event.currentTarget.value))}
          />
        </label>
        <label class="field memory-tags">
          Tags, with commas
          <input value={tags} onInput={(event) => setTags(event.currentTarget.value)} />
        </label>
      </div>
      <div class="row">
        <Button type="submit" kind="main" disabled={busy || content.trim() === ""}>
          {action}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Whoever opened a form wants to type. */
function focused(element: HTMLTextAreaElement | null): void {
  if (element && element !== document.activeElement && element.dataset.reached === undefined) {
    element.dataset.reached = "";
    element.focus();
  }
}
