import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stem } from "./stem.ts";

describe("stem", () => {
  // Pairs from the vocabulary published with the algorithm.
  it.each(
    `consign consign|consigned consign|consigning consign|consignment consign|consist consist|consisted consist
     consistency consist|consistent consist|consistently consist|consolation consol|consolatory consolatori|consoling consol
     conspicuous conspicu|conspiracy conspiraci|conspirator conspir|conspire conspir|constable constabl|constancy constanc
     knackeries knackeri|kneaded knead|knees knee|knightly knight|knitted knit|knitting knit|knives knive|knocker knocker
     generate generat|generous generous|generally general|communication communic|hopping hop|hoping hope|falling fall
     caresses caress|ties tie|cries cri|gas gas|gaps gap|kiwis kiwi|agreed agre|disabled disabl|luxuriated luxuri
     happy happi|say say|by by|relational relat|conditional condit|electrical electr|hopefulness hope|adoption adopt
     replacement replac|adjustment adjust|rate rate|controlling control|rolling roll|skies sky|dying die|news news
     proceed proceed|exceeding exceed|innings inning|early earli|youth youth|boy boy|playing play|dependencies depend
     configuration configur|queries queri|query queri|caches cach|caching cach|indices indic|constructor constructor`
      .split(/[|\n]\s*/)
      .map((pair) => pair.trim().split(" ") as [string, string]),
  )("%s -> %s", (word, stemmed) => {
    expect(stem(word)).toBe(stemmed);
  });

  it("leaves words with digits, underscores or other scripts, and very short ones, as they are", () => {
    for (const word of ["utf8s", "snake_cases", "строки", "größen", "as", "s", ""]) expect(stem(word)).toBe(word);
  });

  it("makes no word longer than by one letter, and never empty", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        expect(stem(word).length).toBeLessThanOrEqual(word.length + 1);
        expect(stem(word)).toMatch(/^[a-z]+$/);
      }),
      { numRuns: 2000 },
    );
  });
});
