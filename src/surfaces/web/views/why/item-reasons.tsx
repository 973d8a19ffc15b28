import { useState } from "preact/hooks";
import { useMay } from "../../api/caller.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Feedback } from "../../components/feedback.tsx";
import { placeOf, SourceBadge } from "../../components/item-name.tsx";
import { count, counted, decimal } from "../../components/numbers.ts";
import type { DocumentItem } from "../../question/answer.ts";
import { LinkPath } from "./link-path.tsx";
import { SignalTable } from "./signal-table.tsx";
import { SourcePanel } from "./source-panel.tsx";

export function ItemReasons({ item, of }: { item: DocumentItem; of: number }) {
  const [open, setOpen] = useState(false);
  const mayWrite = useMay("write");
  const { citation, merged, related, notes } = item;
  return (
    <article class="panel stack" aria-labelledby="item-title">
      <header>
        <SourceBadge source={item.source} />
        <h2 id="item-title">{item.name}</h2>
        <p class="item-place">{placeOf(item)}</p>
      </header>
      <dl class="facts">
        <dt>Rank</dt>
        <dd class="number">
          {item.rank} <span class="soft">of {count(of)} considered</span>
          {item.pinned && <span class="badge">pinned</span>}
        </dd>
        <dt>Score</dt>
        <dd class="number">{decimal(item.score, 3)}</dd>
        <dt>Printed</dt>
        <dd>
          {item.level}, <span class="number">{counted(item.tokens, "token")}</span>
        </dd>
        <dt>Path</dt>
        <dd>
          <LinkPath via={item.via} to={item.name} />
        </dd>
        <dt>Citation</dt>
        <dd class="row">
          <code>{citation.id}</code> <CopyButton text={citation.id} />
        </dd>
        {merged.length > 0 && (
          <>
            <dt>Stands for</dt>
            <dd>{merged.map(({ name, why }) => `${name} (${why})`).join(", ")}</dd>
          </>
        )}
        {related.length > 0 && (
          <>
            <dt>Linked to</dt>
            <dd>{related.join(", ")}</dd>
          </>
        )}
        {notes && notes.length > 0 && (
          <>
            <dt>Note</dt>
            <dd>{notes.join(" ")}</dd>
          </>
        )}
      </dl>
      <section>
        <h3>Signals</h3>
        <SignalTable because={item.because} score={item.score} />
      </section>
      <div class="row spread">
        <Button onClick={() => setOpen(!open)} expanded={open}>
          {open ? "Close the source" : "Open the source"}
        </Button>
        {mayWrite && <Feedback key={item.id} item={item.id} name={item.name} />}
      </div>
      {open && <SourcePanel item={item} />}
    </article>
  );
}
