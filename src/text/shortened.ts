/** At most so many characters around the place `at`, cut between words; a mark is where text is missing. */
export function shortened(text: string, at: number, longest: number): string {
  if (text.length <= longest) return text;
  const earliest = at < longest / 2 ? 0 : Math.min(at - Math.floor(longest / 4), text.length - longest + 2);
  const word = text.indexOf(" ", earliest) + 1;
  const start = earliest > 0 && word > 0 && word <= at ? word : earliest;
  const room = longest - (start > 0 ? 2 : 0) - 1;
  let part = text
    .slice(start, start + room)
    .replace(/^[\udc00-\udfff]/, "")
    .replace(/[\ud800-\udbff]$/, "");
  const space = part.lastIndexOf(" ");
  if (start + room < text.length && space > room / 2) part = part.slice(0, space);
  return `${start > 0 ? "… " : ""}${part.trim()}${start + room < text.length ? "…" : ""}`;
}
