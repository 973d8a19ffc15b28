/** Percent-decoding that takes what is no escape literally: `100%` in a name or link is a percent sign. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
