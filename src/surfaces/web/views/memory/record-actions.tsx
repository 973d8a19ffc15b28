import type { ComponentChildren } from "preact";
import { useMay } from "../../api/caller.ts";
import { perform } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Time } from "../../components/time.tsx";
import type { Doing, Done } from "../../components/undo.tsx";

type Props = {
  id: string;
  noun: string;
  forgotten?: string;
  doing: Doing;
  /** Further actions on a record that is not forgotten. */
  children?: ComponentChildren;
};

/** Actions on a record; only those that the key allows. */
export function RecordActions({ id, noun, forgotten, doing, children }: Props) {
  if (!useMay("write")) return null;
  return (
    <div class="row record-actions">
      {forgotten === undefined ? (
        <>
          {children}
          <Button kind="danger" disabled={doing.busy} onClick={() => doing.run(() => forget(id, noun))}>
            Forget
          </Button>
        </>
      ) : (
        <Button disabled={doing.busy} onClick={() => doing.run(() => restore(id, noun))}>
          Restore
        </Button>
      )}
    </div>
  );
}

async function forget(id: string, noun: string): Promise<Done> {
  await perform((client) => client.forget({ ids: [id] }));
  return { sentence: `The ${noun} is forgotten.`, undo: () => perform((client) => client.restore({ ids: [id] })) };
}

async function restore(id: string, noun: string): Promise<Done> {
  await perform((client) => client.restore({ ids: [id] }));
  return { sentence: `The ${noun} is back.`, undo: () => perform((client) => client.forget({ ids: [id] })) };
}

type FactsProps = {
  source: "memory" | "experience" | "value";
  kind: string;
  record: { id: string; created: string; forgotten?: string; score?: number };
  children?: ComponentChildren;
};

/** A line with the facts of a record. */
export function RecordFacts({ source, kind, record, children }: FactsProps) {
  const { id, created, forgotten, score } = record;
  return (
    <p class="row record-facts">
      <span class={`source source-${source}`}>{kind}</span>
      {children}
      {forgotten !== undefined && (
        <span class="badge bad">
          forgotten <Time iso={forgotten} />
        </span>
      )}
      <span class="small soft">
        <Time iso={created} />
      </span>
      {score !== undefined && <span class="small soft number">score {score.toFixed(2)}</span>}
      <span class="mono soft record-id">{id}</span>
    </p>
  );
}
