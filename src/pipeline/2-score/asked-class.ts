import { type Scored, sourceTraits } from "../../item.ts";
import { type Query, saysMoreThan } from "../../text/analysis/query.ts";
import { byScore } from "../ranking.ts";

/**
 * A class of up to this many lines is an answer that can be read; little more than the heads of the methods of a longer
 * one is printed.
 */
const longestClass = 120;
/**
 * "When does HttpConnection drop the body of a redirect": the name says where, the rest says what. The method of the
 * class that matches best is what was asked for, in its place; the class itself is one item among the others. Its 1,400
 * lines were the whole answer before, folded to heads.
 */
export function withBestOfAskedClass(scored: Scored[], query: Query): Scored[] {
  if (!query.wantsBehaviour || !saysMoreThan(query, query.asked)) return scored;
  const changed = new Map<string, Scored>();
  for (const container of scored) {
    if (!isLongClass(container)) continue;
    // Constructors are called like their class, and asked for no more than it is.
    const [constructors, methods] = partsOf(container, scored);
    const [best] = methods.toSorted(byScore);
    if (!best || methods.some(({ signals }) => signals.named !== undefined)) continue;
    for (const each of [container, ...constructors]) changed.set(each.item.id, found(each));
    changed.set(best.item.id, {
      ...best,
      score: container.score,
      signals: { ...best.signals, named: container.signals.named! },
      because: { ...best.because, named: container.score - best.score },
    });
  }
  return changed.size === 0 ? scored : scored.map((each) => changed.get(each.item.id) ?? each);
}

/** The same candidate, without the signal that it was named. */
function found(scored: Scored): Scored {
  const { named: _, ...signals } = scored.signals;
  const { named: raised = 0, ...because } = scored.because;
  return { ...scored, signals, because, score: scored.score - raised };
}

function isLongClass({ item, signals, askedLine, askedWhole }: Scored): boolean {
  return (
    signals.named !== undefined &&
    signals.frame === undefined &&
    signals.literal === undefined &&
    askedLine === undefined &&
    askedWhole !== true &&
    sourceTraits[item.source].lines === "code" &&
    !isFunction({ item }) &&
    item.endLine - item.startLine >= longestClass
  );
}

/** The functions inside: constructors, and all others. */
function partsOf({ item: outer }: Scored, scored: readonly Scored[]): [Scored[], Scored[]] {
  const parts = scored.filter(
    ({ item }) =>
      isFunction({ item }) &&
      item.path === outer.path &&
      item.startLine >= outer.startLine &&
      item.endLine <= outer.endLine,
  );
  const isConstructor = ({ item }: Scored) => item.name === outer.name;
  return [parts.filter(isConstructor), parts.filter((part) => !isConstructor(part))];
}

function isFunction({ item }: Pick<Scored, "item">): boolean {
  return item.kind === "function" || item.kind === "method";
}
