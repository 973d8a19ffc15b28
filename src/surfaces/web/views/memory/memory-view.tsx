import "../shared.css";
import "./memory.css";
import { Tabs } from "../../components/tabs.tsx";
import { restate, useLocation } from "../../shell/router.ts";
import { ClustersPart } from "./clusters.tsx";
import { DraftsPart } from "./drafts.tsx";
import { ExperiencesPart } from "./experiences.tsx";
import { MemoriesPart } from "./memories.tsx";
import { ValuesPart } from "./values.tsx";

const parts = {
  memories: { title: "Memories", Part: MemoriesPart },
  experiences: { title: "Experiences", Part: ExperiencesPart },
  values: { title: "Values", Part: ValuesPart },
  drafts: { title: "Drafts", Part: DraftsPart },
  clusters: { title: "Clusters", Part: ClustersPart },
};

type PartName = keyof typeof parts;
const names = Object.keys(parts) as PartName[];

/** Memories, experiences, values and drafts. */
export function MemoryView() {
  const { state } = useLocation();
  const name = names.find((each) => each === state.get("kind")) ?? "memories";
  const { Part } = parts[name];
  return (
    <>
      <div class="view-head">
        <h1>Memory</h1>
        <Tabs
          label="What is shown"
          names={names}
          chosen={name}
          titleOf={(each) => parts[each].title}
          onChoose={(each) =>
            restate((next) => {
              next.set("kind", each);
              next.delete("find");
              next.delete("show");
            })
          }
        />
      </div>
      <Part key={name} />
    </>
  );
}
