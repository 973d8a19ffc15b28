/** The value of a JSON text; undefined where it is no JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
