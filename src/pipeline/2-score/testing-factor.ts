import { type Candidate, isProse } from "../../item.ts";
import type { Query } from "../../text/analysis/query.ts";
import { asksHowToTest } from "../../text/analysis/question-words.ts";

const aboutTesting = /test/i;
/** By how much a section about testing gains if its headings contain the whole question. */
const most = 4;

/**
 * For "how do I test a websocket endpoint": sections about testing gain by the share of the question in their headings.
 * The project's own tests, and sections about the thing to be tested, contain more of its words.
 */
export function testingFactor({ item }: Candidate, { text, shape }: Query, heading: number): number {
  if (shape !== "question" || !isProse(item) || !asksHowToTest(text)) return 1;
  const isAbout = aboutTesting.test(item.name) || aboutTesting.test(item.path.slice(item.path.lastIndexOf("/") + 1));
  return isAbout ? 1 + (most - 1) * heading : 1;
}
