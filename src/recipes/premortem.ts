import { code, records } from "./code.ts";
import type { Ask, Recipe } from "./recipe.ts";

const deadline = 2000;
const mostValues = 5;

/** Earlier failures in a domain, on every axis, and the principles learned from them. */
export function premortem(domain: string, strategy: string | undefined, limit: number): Recipe {
  const using = strategy ? ` using ${strategy}` : "";
  // Only explained failures: a failure that was captured from a command and not explained has no tier and no lesson.
  const explained = { tier: ["gold", "silver", "bronze"] };
  const inDomain = { domain: [domain], ...explained };
  const about = { source: "experience", deadline, certain: true };
  const asks: Ask[] = [
    {
      ...about,
      section: "Common Failures",
      query: `failures and issues in ${domain}`,
      kinds: ["experience"],
      where: { ...inDomain, "outcome.status": ["falsified"] },
    },
    ...(strategy
      ? [
          {
            ...about,
            section: "Strategy Performance",
            query: `outcomes using ${strategy} strategy`,
            kinds: ["strategy" as const],
            where: { strategy: [strategy], tier: [...explained.tier, "abandoned"] },
          },
        ]
      : []),
    {
      ...about,
      section: "Unexpected Outcomes",
      query: `unexpected outcomes in ${domain}`,
      kinds: ["surprise"],
      where: inDomain,
    },
    {
      ...about,
      section: "Root Causes to Watch",
      query: `why hypotheses fail in ${domain}`,
      kinds: ["root_cause"],
      where: inDomain,
    },
    {
      source: "value",
      deadline,
      section: "Relevant Principles",
      query: `principles for ${domain}${using}`,
      where: { domain: [domain] },
      limit: Math.min(mostValues, limit),
      certain: true,
    },
  ];
  return {
    ...code,
    name: "premortem",
    asks: asks.map((ask) => ({ limit, ...ask })),
    records: { ...records, signals: { text: 0.5, title: 0, similar: 0.5, neighbours: 0, asked: 1 } },
    look: {
      title: `Premortem: ${domain}${strategy ? ` with ${strategy}` : ""}`,
      summary: "experiences",
      nothing: `Nothing that went wrong in ${domain} is written down yet.`,
      budget: "shares",
      itemCap: 0.25,
      style: "brief",
      sections: [
        { title: "Common Failures", holds: ["experience"], weight: 3 },
        ...(strategy ? [{ title: "Strategy Performance", holds: [], weight: 2 }] : []),
        { title: "Unexpected Outcomes", holds: [], weight: 2 },
        { title: "Root Causes to Watch", holds: [], weight: 2 },
        { title: "Relevant Principles", holds: ["value"], weight: 1 },
      ],
    },
  };
}
