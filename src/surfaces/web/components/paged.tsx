import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { count } from "./numbers.ts";

/** A long list a page at a time: two thousand rows at once would stop the page. */
export function Paged<Row>({
  rows,
  page = 50,
  children,
}: {
  rows: readonly Row[];
  page?: number;
  children: (page: Row[]) => ComponentChildren;
}) {
  const [most, setMost] = useState(page);
  const remaining = rows.length - most;
  return (
    <>
      {children(rows.slice(0, most))}
      {remaining > 0 && (
        <Button kind="quiet" onClick={() => setMost(most + 4 * page)}>
          Show {count(Math.min(remaining, 4 * page))} more of {count(remaining)}
        </Button>
      )}
    </>
  );
}
