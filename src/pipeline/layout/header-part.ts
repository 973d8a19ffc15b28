/** Tries until a number that is part of what it counts is right. */
const mostTries = 8;

/**
 * The text that says how many tokens the whole document has, itself included. A longer number may make the text longer, so it is tried until
 * both agree; should they never, the text says the smallest number that is not too small.
 */
export function selfCounting(
  rest: number,
  textFor: (used: number) => string,
  count: (text: string) => number,
): { text: string; tokens: number } {
  let used = rest;
  let text = textFor(used);
  let tokens = count(text);
  for (let tries = 0; tries < mostTries && used !== rest + tokens; tries++) {
    used = tries < mostTries / 2 ? rest + tokens : Math.max(used, rest + tokens);
    text = textFor(used);
    tokens = count(text);
  }
  return { text, tokens };
}
