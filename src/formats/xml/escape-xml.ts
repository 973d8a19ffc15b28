import { headingText, wellFormed } from "../characters.ts";

/** Characters that XML 1.0 cannot hold in any form. */
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Any text as the content of an element (CDATA). */
export function cdata(text: string): string {
  return `<![CDATA[${wellFormed(text).replace(impossible, "").replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** One line for an attribute or an element. */
export function escapeText(text: string): string {
  return headingText(text)
    .replace(impossible, "")
    .replace(/[&<>"]/g, (character) => entities[character]!);
}

/** ` name="words"`, or "" without words. */
export function attribute(name: string, words: string | number | undefined): string {
  return words === undefined || words === "" ? "" : ` ${name}="${escapeText(String(words))}"`;
}
