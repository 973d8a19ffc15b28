import { useMemo } from "preact/hooks";
import { useRequest } from "../../api/request.ts";
import { Lines } from "../../components/lines.tsx";
import { FailureNotice, Loading } from "../../components/notice.tsx";
import type { DocumentItem } from "../../question/answer.ts";

/** Lines around what is shown, and tokens that are read at most. */
const around = 40;
const mostTokens = 60_000;
/** Characters of a record that are shown. */
const longestRecord = 20_000;

type Opened = { items: { path: string; start?: number; code?: string; text?: string }[] };
type Place = Pick<DocumentItem, "id" | "source" | "path" | "startLine" | "endLine">;

/** The source as it is now, with the item's lines marked and what is around them. */
export function SourcePanel({ item }: { item: Place }) {
  const isInFile = ["code", "file", "reference"].includes(item.source);
  const target = isInFile ? `${item.path}:${Math.max(1, item.startLine - around)}-${item.endLine + around}` : item.id;
  const { result, failure, again } = useRequest(target, (client, signal) =>
    client.open({ targets: [target], format: "json", maxTokens: mostTokens }, { signal }),
  );
  const source = useMemo(() => (result ? (JSON.parse(result.text) as Opened).items[0] : undefined), [result]);
  if (failure) return <FailureNotice failure={failure} again={again} />;
  if (!result) return <Loading what="Opening" />;
  const text = source?.code ?? source?.text ?? "";
  // Records are prose, and wrap.
  if (!isInFile) return <p class="opened-record">{text.slice(0, longestRecord)}</p>;
  const lines = text.split("\n");
  const first = source?.start ?? 1;
  const isShown = (line: number) => line >= item.startLine && line <= item.endLine;
  return (
    <Lines
      label={`Source of ${item.path}`}
      lines={lines}
      numberOf={(index) => first + index}
      toneOf={(index) => (isShown(first + index) ? "marked" : undefined)}
      show={item.startLine - first}
      height="28rem"
    />
  );
}
