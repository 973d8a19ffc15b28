import { count } from "../../components/numbers.ts";
import { Tabs } from "../../components/tabs.tsx";
import { restate } from "../../shell/router.ts";
import { colourOf, type LinkRelation } from "./relations.ts";

type Props = {
  depth: number;
  limit: number;
  /** Relations that are followed; none for all. */
  relations: LinkRelation[];
  /** Relations that are known to occur. */
  counts: string[];
  now: Record<string, number>;
};

const depths = ["1", "2", "3", "4"] as const;
const limits = [50, 100, 200, 500];

export function GraphControls({ depth, limit, relations, counts, now }: Props) {
  const choices = [...new Set([...counts, ...relations])] as LinkRelation[];
  const isOn = (relation: LinkRelation) => relations.length === 0 || relations.includes(relation);
  const toggle = (relation: LinkRelation) => {
    const on = choices.filter((each) => (each === relation ? !isOn(each) : isOn(each)));
    restate((state) => {
      state.delete("relation");
      // All of them, or none: then every relation is followed.
      if (on.length < choices.length) for (const each of on) state.append("relation", each);
    });
  };
  return (
    <div class="graph-controls">
      <div class="row">
        <span class="small soft" id="graph-steps">
          Links
        </span>
        <Tabs
          label="How many links to follow"
          names={depths}
          chosen={(String(depth) as (typeof depths)[number]) ?? "2"}
          onChoose={(name) => restate((state) => state.set("steps", name))}
        />
      </div>
      <label class="row small soft">
        Items
        <select
          value={limit}
          onChange={(event) => {
            const { value } = event.currentTarget;
            restate((state) => state.set("most", value));
          }}
        >
          {limits.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="relations">
        <legend class="unseen">Relations</legend>
        {choices.map((relation) => (
          <button
            key={relation}
            class="button relation"
            type="button"
            aria-pressed={isOn(relation)}
            onClick={() => toggle(relation)}
          >
            <span class={`swatch ${colourOf(relation)}`} aria-hidden="true" />
            {relation} <span class="number soft">{count(now[relation] ?? 0)}</span>
          </button>
        ))}
      </fieldset>
    </div>
  );
}
