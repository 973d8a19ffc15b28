/** The text with everything outside `<script>` blanked, so that a script's grammar reads it with every place unchanged. */
export function onlyScripts(text: string): string {
  let shown = "";
  let at = 0;
  for (const match of text.matchAll(/<script\b[^>]{0,1000}>/gi)) {
    const start = match.index + match[0].length;
    if (start <= at) continue;
    const close = /<\/script\s*>/gi;
    close.lastIndex = start;
    const end = close.exec(text)?.index ?? text.length;
    shown += blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return shown + blank(text.slice(at));
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
