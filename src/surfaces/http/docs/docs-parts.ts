import { createHash } from "node:crypto";

/**
 * Style and script of the API page, inside the page: it loads nothing else. Without the script everything is shown,
 * only not filtered.
 */

export const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --paper: #fff; --shade: #f3f5f7; --line: #d5dae0; --link: #0b57a4; --get: #17692f; --post: #0b57a4; --delete: #a3271f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --soft: #9aa5b1; --paper: #14181c; --shade: #1f252b; --line: #353d46; --link: #7ab8ff; --get: #63cf83; --post: #7ab8ff; --delete: #ff8d84; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
a { color: var(--link); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem 2rem 1.25rem; border-right: 1px solid var(--line); background: var(--shade); font-size: .875rem; }
nav p { margin: 0 0 .75rem; font-weight: 700; font-size: 1rem; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav > a { display: block; margin-top: .9rem; font-weight: 600; color: var(--ink); }
nav ul { list-style: none; margin: .2rem 0 0; padding: 0; }
nav li a { display: block; padding: .1rem 0; overflow-wrap: anywhere; }
main { padding: 1.5rem clamp(1rem, 4vw, 3rem) 4rem; max-width: 62rem; width: 100%; }
h1 { margin: 0; line-height: 1.2; }
h2 { margin: 2.5rem 0 .5rem; padding-bottom: .3rem; border-bottom: 2px solid var(--line); }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
section section { padding: 1.1rem 0; border-bottom: 1px solid var(--line); }
section section:target { box-shadow: -.5rem 0 var(--paper), -.7rem 0 var(--link); }
section p { margin: .35rem 0; }
.soft, .needs { color: var(--soft); }
.needs { font-size: .875rem; }
.method { font: 700 .8rem/1 ui-monospace, monospace; margin-right: .5rem; color: var(--post); }
.get { color: var(--get); } .delete { color: var(--delete); }
code, pre, textarea { font: .875rem/1.45 ui-monospace, monospace; }
pre, textarea { width: 100%; margin: .5rem 0; padding: .7rem .8rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--shade); color: inherit; overflow: auto; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
pre.answer { max-height: 24rem; }
details { margin: .4rem 0; }
summary { cursor: pointer; color: var(--link); font-size: .9rem; width: fit-content; }
:is(a, summary, input, textarea, button):focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem 1rem .4rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
th { white-space: nowrap; width: 1%; }
td { overflow-wrap: anywhere; }
.tools { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 0; }
.tools label { flex: 1 1 16rem; font-size: .875rem; color: var(--soft); }
input { display: block; width: 100%; margin-top: .2rem; padding: .5rem .6rem; font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; }
button { padding: .4rem .9rem; font: inherit; border: 1px solid var(--link); border-radius: .4rem; color: var(--paper); background: var(--link); cursor: pointer; }
[hidden] { display: none !important; }
@media (max-width: 56rem) {
  body { display: block; }
  nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); padding: 1rem; display: flex; flex-wrap: wrap; gap: .3rem .9rem; align-items: baseline; }
  nav p { width: 100%; margin: 0; }
  nav > a { margin: 0; color: var(--link); }
  nav ul { display: none; }
  table, tbody, tr, th, td { display: block; width: auto; }
  th, td { border: 0; padding: 0; }
  tr { padding: .45rem 0; border-bottom: 1px solid var(--line); }
}
@media print { body { display: block; } nav, .tools, form { display: none !important; } }
`;

/** Filters the routes while one types, and sends the requests of the forms. The key stays on the page. */
export const script = `
const routes = [...document.querySelectorAll("section section")];
const groups = [...document.querySelectorAll("main > section")];
const links = [...document.querySelectorAll("nav a")];
const filter = document.querySelector("#filter");
const nothing = document.querySelector("#nothing");
const show = () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const route of routes) route.hidden = !words.every((word) => route.dataset.words.includes(word));
  for (const group of groups) group.hidden = [...group.querySelectorAll("section")].every((route) => route.hidden);
  for (const link of links) link.hidden = document.querySelector(link.hash).hidden;
  nothing.hidden = routes.some((route) => !route.hidden);
};
filter.addEventListener("input", show);
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
  event.preventDefault();
  filter.focus();
});
for (const form of document.querySelectorAll("form")) {
  const answer = form.querySelector("pre");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { method, path } = form.dataset;
    const key = document.querySelector("#key").value.trim();
    const body = form.querySelector("textarea")?.value;
    answer.hidden = false;
    answer.textContent = "…";
    try {
      const headers = { ...(key && { Authorization: "Bearer " + key }), ...(body && { "Content-Type": "application/json" }) };
      const response = await fetch(path, { method, headers, body });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json");
      answer.textContent = response.status + " " + response.statusText + "\\n\\n" + (isJson ? JSON.stringify(JSON.parse(text), null, 2) : text);
    } catch (error) {
      answer.textContent = String(error);
    }
  });
}
for (const element of document.querySelectorAll("form, .tools")) element.hidden = false;
show();
`;

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Only our own style and script run, requests go to this server only, and no page may frame this one. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src ${hash(style)}`,
  `script-src ${hash(script)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
