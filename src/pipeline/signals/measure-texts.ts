import type { Recipe } from "../../recipes/recipe.ts";
import type { Finding } from "../finding.ts";

import { scoreTerms, weighQuery } from "./bm25.ts";
import { type SignalColumns, shareOfBest } from "./columns.ts";

const noTerms = new Uint8Array(0);

/** The signals of short texts, which have neither names nor paths to match. */
export function measureTexts({ query, candidates, evidence }: Finding, { records }: Recipe): SignalColumns {
  const terms = weighQuery(query.terms, evidence.units, query.also);
  const title = weighQuery(query.title, evidence.units);
  const packed = candidates.map(({ item }) => evidence.unitTerms.get(item.id) ?? noTerms);
  const texts = packed.map((each) => scoreTerms(each, terms, records.model));
  const titles = packed.map((each) => scoreTerms(each, title, records.model));
  return {
    columns: {
      text: shareOfBest(texts.map(({ score }) => score)),
      title: shareOfBest(titles.map(({ score }) => score)),
      similar: shareOfBest(candidates.map(({ signals }) => signals.similar ?? 0)),
      asked: candidates.map(({ signals }) => signals.asked ?? 0),
    },
    certainty: candidates.map(({ signals }, i) =>
      Math.max(texts[i]!.coverage, titles[i]!.coverage, signals.asked ?? 0),
    ),
  };
}
