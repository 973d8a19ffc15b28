import type { DocumentItem } from "../question/answer.ts";

type Named = Pick<DocumentItem, "source" | "name" | "path" | "startLine" | "endLine" | "kind">;

/** An item's name and place. Both come from the workspace, and are shown as text. */
export function ItemName({ item }: { item: Named }) {
  return (
    <span class="item-name">
      <span class="item-title">{item.name}</span>
      <span class="item-place">{placeOf(item)}</span>
    </span>
  );
}

export function placeOf({ path, startLine, endLine, source, kind }: Named): string {
  if (source === "code" || source === "file" || source === "reference") {
    return startLine === endLine ? `${path}:${startLine}` : `${path}:${startLine}-${endLine}`;
  }
  return path === "" ? kind : path;
}

/** The name of an item that was left out, from one text: `src/cart.ts::Cart.total`, or a path. */
export function LeftOutName({ title }: { title: string }) {
  const at = title.indexOf("::");
  if (at < 0) return <span class="item-title">{title}</span>;
  return (
    <span class="item-name">
      <span class="item-title">{title.slice(at + 2)}</span>
      <span class="item-place">{title.slice(0, at)}</span>
    </span>
  );
}

export function SourceBadge({ source }: { source: string }) {
  return <span class={`source source-${source}`}>{source}</span>;
}
