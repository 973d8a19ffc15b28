import { useEffect, useMemo, useState } from "preact/hooks";
import { CopyButton } from "../components/copy-button.tsx";
import { lineKinds } from "../components/line-colours.ts";
import { Lines } from "../components/lines.tsx";
import { Empty } from "../components/notice.tsx";
import { count } from "../components/numbers.ts";
import { Tabs } from "../components/tabs.tsx";
import { useAnswer } from "../question/answer.ts";
import { isAsked, setInput } from "../question/question.ts";
import { FindBox, useFind } from "./text/find-box.tsx";
import { SectionList, sectionsOf } from "./text/sections.tsx";

/** The document as the model reads it. */
export function TextView() {
  const { result, question, inputs } = useAnswer();
  const lines = useMemo(() => (result?.text ?? "").replace(/\n$/, "").split("\n"), [result?.text]);
  const kinds = useMemo(() => lineKinds(lines, result?.format ?? ""), [lines, result?.format]);
  const sections = useMemo(() => (result ? sectionsOf(result) : []), [result]);
  const find = useFind(lines);
  const [jump, setJump] = useState<number>();
  const foundLine = find.at[find.current]?.line;
  useEffect(() => setJump(foundLine), [foundLine, find.current]);
  if (!isAsked(question)) {
    return (
      <Empty title="No document yet">
        <p>Ask something, and read here what the model would read.</p>
      </Empty>
    );
  }
  if (!result) return null;
  const formats = inputs?.properties.format?.enum ?? [result.format];
  return (
    <div class="stack">
      <div class="row spread">
        <Tabs
          label="Format"
          names={formats}
          chosen={question.format ?? result.format}
          onChoose={(format) => setInput("format", format === inputs?.properties.format?.default ? undefined : format)}
        />
        <div class="row">
          <FindBox find={find} />
          <CopyButton text={result.text} title="Copy all" />
        </div>
      </div>
      <div class="text-view">
        <Lines
          label={`The document, ${count(lines.length)} lines`}
          lines={lines}
          kinds={kinds}
          numberOf={(index) => index + 1}
          marksOf={find.marksOf}
          show={jump}
          height="calc(100vh - 15rem)"
        />
        <SectionList sections={sections} used={result.tokens.used} onChoose={setJump} />
      </div>
    </div>
  );
}
