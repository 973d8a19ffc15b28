import type { ComponentChildren } from "preact";
import type { Client, RequestOptions } from "../../../../client/client.ts";
import { type Pages, usePages } from "../../api/pages.ts";
import { Button } from "../../components/button.tsx";
import { Empty, FailureNotice, Loading } from "../../components/notice.tsx";
import { counted } from "../../components/numbers.ts";
import { type Doing, DoneNotice, useDoing } from "../../components/undo.tsx";
import { restate, useLocation } from "../../shell/router.ts";

type Shows = "kept" | "all" | "forgotten";

/** The search filter in the address. */
export function useRecordFilter(): { find: string; show: Shows } {
  const { state } = useLocation();
  const show = (["all", "forgotten"] as const).find((each) => each === state.get("show")) ?? "kept";
  return { find: state.get("find") ?? "", show };
}

type Listing<Entry> = { entries: Entry[]; total: number; next?: string };

/** The matching records, page by page, and the state of actions on them. */
export function useRecords<Entry>(
  input: object,
  ask: (client: Client, page: { after?: string }, options: RequestOptions) => Promise<Listing<Entry>>,
): { pages: Pages<Entry>; doing: Doing } {
  const pages = usePages(JSON.stringify(input), (client, after, signal) => ask(client, { after }, { signal }));
  return { pages, doing: useDoing(pages.again) };
}

type BarProps = { noun: string; withAll?: boolean; children?: ComponentChildren };

export function RecordFilterBar({ noun, withAll = false, children }: BarProps) {
  const { find, show } = useRecordFilter();
  const write = (key: string, value: string) =>
    restate((state) => (value === "" ? state.delete(key) : state.set(key, value)));
  return (
    <search class="record-filter">
      <input
        type="search"
        aria-label={`Find ${noun}`}
        placeholder={`Find ${noun} by a question`}
        value={find}
        onInput={(event) => write("find", event.currentTarget.value)}
      />
      <select
        aria-label="Which are shown"
        value={show}
        onChange={(event) => write("show", event.currentTarget.value === "kept" ? "" : event.currentTarget.value)}
      >
        <option value="kept">Current</option>
        {withAll && <option value="all">Also replaced and ended</option>}
        <option value="forgotten">Forgotten</option>
      </select>
      {children}
    </search>
  );
}

type ListProps<Entry extends { id: string }> = {
  pages: Pages<Entry>;
  doing: Doing;
  noun: string;
  plural?: string;
  children: (entry: Entry) => ComponentChildren;
  /** Shown where there are no records at all. */
  empty: ComponentChildren;
};

/** Records as cards, page by page. */
export function RecordList<Entry extends { id: string }>(props: ListProps<Entry>) {
  const { pages, doing, noun, plural, children, empty } = props;
  const { find, show } = useRecordFilter();
  const { entries, failure, loading, more, again, total } = pages;
  return (
    <>
      <DoneNotice doing={doing} />
      {failure && <FailureNotice failure={failure} again={again} />}
      {!entries && !failure && <Loading />}
      {entries?.length === 0 &&
        (find !== "" || show !== "kept" ? (
          <Empty title={show === "forgotten" ? "Nothing was forgotten" : "Nothing like this"}>
            <p>{find === "" ? "What is forgotten can be restored from here." : "Other words may find it."}</p>
          </Empty>
        ) : (
          empty
        ))}
      {entries && entries.length > 0 && (
        <>
          <p class="small soft number" role="status">
            {counted(total, noun, plural)}
          </p>
          <ul class="records" aria-busy={loading}>
            {entries.map((entry) => (
              <li key={entry.id} class="panel record">
                {children(entry)}
              </li>
            ))}
          </ul>
        </>
      )}
      {more && (
        <p class="record-more">
          <Button onClick={more} disabled={loading}>
            Show more
          </Button>
        </p>
      )}
    </>
  );
}
