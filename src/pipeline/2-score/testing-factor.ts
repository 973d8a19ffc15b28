import { type Candidate, isProse } from "../../item.ts";
import type { Query } from "../../text/analysis/query.ts";
import { asksHowToTest } from "../../text/analysis/question-words.ts";

const aboutTesting = /test/i;
/** How much more a section about testing counts that has all of the question in its headings. */
const most = 4;

/**
 * For "how do I test a websocket endpoint": sections about testing count more, by what their headings have of the question. The project's own
 * tests, and sections about what is to be tested, have more of its words.
 */
export function testingFactor({ item }: Candidate, { text, shape }: Query, heading: number): number {
  if (shape !== "question" || !isProse(item) || !asksHowToTest(text)) return 1;
  const isAbout = aboutTesting.test(item.name) || aboutTesting.test(item.path.slice(item.path.lastIndexOf("/") + 1));
  return isAbout ? 1 + (most - 1) * heading : 1;
}
