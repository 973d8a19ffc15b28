import type { ComponentChildren } from "preact";

type Column<Row> = {
  title: string;
  /** Numbers stand under each other, at the right. */
  numeric?: boolean;
  cell: (row: Row) => ComponentChildren;
};

type Props<Row> = {
  caption: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
};

/** Rows of facts; narrow windows scroll it sideways instead of the page. */
export function Table<Row>({ caption, columns, rows, keyOf }: Props<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="table-frame" aria-label={caption} tabIndex={0}>
      <table class="table">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, numeric }) => (
              <th key={title} scope="col" class={numeric ? "numeric" : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, numeric, cell }) => (
                <td key={title} data-title={title} class={numeric ? "numeric" : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
