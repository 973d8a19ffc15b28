import { useState } from "preact/hooks";
import type { RequestFailure } from "../../../client/client.ts";
import { perform } from "../api/request.ts";
import { Button } from "./button.tsx";

type Props = {
  item: string;
  name: string;
  /** Id of the context that the item was in, if that has one. */
  context?: string;
};
type Vote = { useful: boolean; event: string; before: number; after: number };

/** Whether an item helped: the next contexts rank it by that. A second press takes it back. */
export function Feedback({ item, name, context }: Props) {
  const [vote, setVote] = useState<Vote>();
  const [failure, setFailure] = useState<RequestFailure>();
  const [busy, setBusy] = useState(false);
  const say = async (useful: boolean) => {
    setBusy(true);
    setFailure(undefined);
    try {
      if (vote?.useful === useful) {
        await perform((client) => client.feedback({ undo: [vote.event] }));
        setVote(undefined);
      } else {
        const { event, change } = await perform((client) => client.feedback({ item, useful, context }));
        setVote(event && change ? { useful, event, before: change.before, after: change.after } : undefined);
      }
    } catch (error) {
      setFailure(error as RequestFailure);
    }
    setBusy(false);
  };
  return (
    <div class="row feedback">
      <Button
        disabled={busy}
        pressed={vote?.useful === true}
        label={`${name} was useful`}
        onClick={() => void say(true)}
      >
        Useful
      </Button>
      <Button
        disabled={busy}
        pressed={vote?.useful === false}
        label={`${name} was not useful`}
        onClick={() => void say(false)}
      >
        Not useful
      </Button>
      <span class="small soft" role="status">
        {vote && `Usage ${vote.before.toFixed(2)} → ${vote.after.toFixed(2)}; press again to take it back.`}
        {failure && <span class="error-text">{failure.message}</span>}
      </span>
    </div>
  );
}
