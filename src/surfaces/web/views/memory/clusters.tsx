import { useMemo, useRef, useState } from "preact/hooks";
import type { Output } from "../../../../client/client.ts";
import { useMay } from "../../api/caller.ts";
import { perform, useRequest } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Empty, FailureNotice, Loading } from "../../components/notice.tsx";
import { counted } from "../../components/numbers.ts";
import { Tabs } from "../../components/tabs.tsx";
import { DoneNotice, useDoing } from "../../components/undo.tsx";
import { useWidth } from "../../components/width.ts";
import { restate, useLocation } from "../../shell/router.ts";
import { type Circle, clusterLayout } from "./cluster-layout.ts";
import { RecordForm } from "./record-form.tsx";

type Cluster = Output<"clusters">["clusters"][number];

const axes = ["full", "strategy", "surprise", "root_cause"] as const;
type Axis = (typeof axes)[number];
const titles: Record<Axis, string> = {
  full: "Whole story",
  strategy: "Strategy",
  surprise: "Surprise",
  root_cause: "Root cause",
};

const mostClusters = 60;
const mostMembers = 120;

/**
 * Which experiences are alike, as a picture: a circle for each group, a dot for each experience, nearer the middle the
 * more typical.
 */
export function ClustersPart() {
  const { state } = useLocation();
  const axis = axes.find((each) => each === state.get("axis")) ?? "full";
  const { result, failure, again } = useRequest(`clusters ${axis}`, (client, signal) =>
    client.clusters({ axis, limit: mostClusters, members: mostMembers }, { signal }),
  );
  const [chosenId, setChosen] = useState<string>();
  const chosen = result?.clusters.find(({ id }) => id === chosenId) ?? result?.clusters[0];
  return (
    <>
      <Tabs
        label="What is compared"
        names={axes}
        chosen={axis}
        titleOf={(each) => titles[each]}
        onChoose={(each) => restate((next) => next.set("axis", each))}
      />
      {failure && <FailureNotice failure={failure} again={again} />}
      {!result && !failure && <Loading what="Comparing experiences" />}
      {result && result.clusters.length === 0 && (
        <Empty title={result.missing > 0 ? "Too few experiences yet" : "No group stands out"}>
          <p>
            {result.missing > 0
              ? `Groups are looked for once ${counted(result.missing, "more resolved experience")} ${result.missing === 1 ? "is" : "are"} there; now there are ${result.experiences}.`
              : `${counted(result.experiences, "resolved experience")}, and none are more alike than the rest.`}
          </p>
        </Empty>
      )}
      {result && chosen && (
        <>
          <p class="small soft cluster-summary">
            {result.clustered} of {counted(result.experiences, "resolved experience")} in{" "}
            {counted(result.total, "cluster")}
          </p>
          <div class="clusters">
            <ClusterPicture clusters={result.clusters} chosen={chosen.id} onChoose={setChosen} />
            <ClusterMembers key={chosen.id} cluster={chosen} />
          </div>
        </>
      )}
    </>
  );
}

type PictureProps = { clusters: Cluster[]; chosen: string; onChoose: (id: string) => void };

function ClusterPicture({ clusters, chosen, onChoose }: PictureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const height = Math.round(Math.min(560, Math.max(320, width * 0.66)));
  const circles = useMemo(() => clusterLayout(clusters, width, height), [clusters, width, height]);
  return (
    <div class="cluster-picture" ref={frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: no other element holds an SVG's parts */}
      <svg width={width} height={height} role="group" aria-label="Clusters of experiences">
        {clusters.map((cluster, at) => (
          <ClusterCircle
            key={cluster.id}
            cluster={cluster}
            circle={circles[at]!}
            chosen={cluster.id === chosen}
            onChoose={() => onChoose(cluster.id)}
          />
        ))}
        {clusters.map(({ id, words }, at) => (
          <ClusterWords key={id} words={words.slice(0, 2)} circle={circles[at]!} />
        ))}
      </svg>
    </div>
  );
}

/** Turns of a sunflower: dots of one distance do not fall on each other. */
const goldenAngle = Math.PI * (3 - Math.sqrt(5));

type CircleProps = { cluster: Cluster; circle: Circle; chosen: boolean; onChoose: () => void };

function ClusterCircle({ cluster, circle, chosen, onChoose }: CircleProps) {
  const { members, words, size } = cluster;
  const { x, y, radius } = circle;
  const furthest = Math.max(1e-6, ...members.map(({ distance }) => distance));
  const room = Math.max(0, radius - 5);
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onChoose();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an SVG has no buttons
    <g
      class="cluster"
      role="button"
      tabindex={0}
      aria-pressed={chosen}
      aria-label={`${words.join(", ")}: ${counted(size, "experience")}`}
      onClick={onChoose}
      onKeyDown={press}
    >
      <title>{words.join(", ")}</title>
      <circle class="cluster-circle" cx={x} cy={y} r={radius} />
      {members.map(({ id, distance, outcome }, at) => {
        const away = room * Math.sqrt(0.08 + (0.92 * distance) / furthest) * Math.sqrt((at + 0.6) / members.length);
        return (
          <circle
            key={id}
            class={`cluster-dot ${outcome ?? ""}`}
            cx={x + Math.min(room, away) * Math.cos(at * goldenAngle)}
            cy={y + Math.min(room, away) * Math.sin(at * goldenAngle)}
            r={2.6}
          />
        );
      })}
    </g>
  );
}

/** Apart from the circles, which are called by all their words. */
function ClusterWords({ words, circle: { x, y, radius } }: { words: string[]; circle: Circle }) {
  if (radius <= 34) return null;
  const room = Math.floor(radius / 3.6);
  return (
    <text class="cluster-words" text-anchor="middle">
      {words.map((word, line) => (
        <tspan key={word} x={x} y={y + 4 + (line - (words.length - 1) / 2) * 15}>
          {word.length > room ? `${word.slice(0, room - 1)}…` : word}
        </tspan>
      ))}
    </text>
  );
}

function ClusterMembers({ cluster }: { cluster: Cluster }) {
  const { words, size, members, id } = cluster;
  const mayWrite = useMay("write");
  return (
    <section class="panel cluster-members" aria-label="Members">
      <h2>{words.join(", ")}</h2>
      <p class="small soft">
        {counted(size, "experience")} · <span class="mono">{id}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ol tabIndex={0}>
        {members.map((member) => (
          <li key={member.id} class="small">
            <span class={`cluster-outcome ${member.outcome ?? ""}`}>{member.outcome ?? "open"}</span> {member.goal}
          </li>
        ))}
      </ol>
      {members.length < size && <p class="small soft">and {size - members.length} more</p>}
      {mayWrite && <ValueOf cluster={cluster} />}
    </section>
  );
}

/** The common lesson of the experiences: proposed, edited, and stored if it fits. */
function ValueOf({ cluster: { id } }: { cluster: Cluster }) {
  const [proposed, setProposed] = useState<string>();
  const doing = useDoing(() => undefined);
  const propose = () =>
    doing.run(async () => {
      const { check } = await perform((client) => client.value({ step: "propose", id }));
      setProposed(check?.text ?? "");
      return { sentence: "Made of their own lessons; change it as you like." };
    });
  const keep = (text: string) =>
    doing.run(async () => {
      const { values } = await perform((client) => client.value({ step: "add", id, text }));
      setProposed(undefined);
      const ids = values.map((value) => value.id);
      return { sentence: "Kept as a value.", undo: () => perform((client) => client.forget({ ids })) };
    });
  return (
    <div class="stack cluster-value">
      <DoneNotice doing={doing} />
      {proposed === undefined ? (
        <Button disabled={doing.busy} onClick={propose}>
          Word what they teach
        </Button>
      ) : (
        <RecordForm
          operation="value"
          fields={{ text: "What they teach" }}
          values={{ text: proposed }}
          needs={["text"]}
          busy={doing.busy}
          action="Keep as a value"
          onSave={({ text }) => keep(String(text))}
          onCancel={() => setProposed(undefined)}
        />
      )}
    </div>
  );
}
