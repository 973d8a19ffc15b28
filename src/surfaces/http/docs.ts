import { createHash } from "node:crypto";
import { version } from "../../version.ts";
import { inputSchema } from "./openapi.ts";
import type { Route } from "./route.ts";

/** The page that shows the API: one file, no script, nothing from elsewhere. */

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2rem; }
details { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .4rem; margin: .4rem 0; }
summary { cursor: pointer; padding: .5rem .75rem; }
summary:focus-visible { outline: 2px solid currentColor; }
details > div { padding: 0 .75rem .75rem; overflow-x: auto; }
code, pre { font: .9em/1.4 ui-monospace, monospace; }
pre { padding: .6rem; border-radius: .4rem; background: color-mix(in srgb, currentColor 8%, transparent); overflow-x: auto; }
.method { display: inline-block; min-width: 3.2rem; font-weight: 700; }
.what { opacity: .8; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
`;

/** Nothing but our own style may be loaded, and nothing may frame the page. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function docsPage(routes: Route[]): string {
  const groups: [string, Route[]][] = [
    ["Context", routes.filter(({ path }) => path.startsWith("/context/"))],
    ["Operations", routes.filter(({ path }) => path.startsWith("/v1/"))],
    ["Service", routes.filter(({ path, operation }) => !operation && !path.startsWith("/v1/"))],
  ];
  const sections = groups.filter(([, each]) => each.length > 0).map(([title, each]) => section(title, each));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dossier API</title>
<style>${style}</style>
</head>
<body>
<h1>Dossier API</h1>
<p class="what">Version ${escaped(version)}. The same as <a href="/openapi.json">openapi.json</a>, for people.</p>
<p>Send inputs as a JSON object and a key as <code>Authorization: Bearer dsr_…</code> (<code>dossier keys create</code> makes one;
on the server's own machine none is needed until the first one exists). A failure is
<code>{"error": {"code", "message", "fix", "requestId"}}</code>. With <code>Accept: text/event-stream</code> an operation sends
<code>progress</code> events and its answer as the last event, <code>result</code> or <code>error</code>.</p>
${sections.join("\n")}
</body>
</html>
`;
}

function section(title: string, routes: Route[]): string {
  return `<h2>${escaped(title)}</h2>\n${routes.map(entry).join("\n")}`;
}

function entry(route: Route): string {
  const needs =
    route.open === "all" ? "no key" : `scope ${route.scope}${route.open === "near" ? " or this machine" : ""}`;
  return `<details>
<summary><span class="method">${route.method}</span> <code>${escaped(route.path)}</code> <span class="what">${escaped(route.summary)}</span></summary>
<div><p>Needs: ${escaped(needs)}.</p>${inputs(route)}${example(route)}</div>
</details>`;
}

type Property = {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  items?: { enum?: string[]; type?: string };
};

function inputs({ operation }: Route): string {
  if (!operation) return "";
  const schema = inputSchema(operation) as { properties?: Record<string, Property>; required?: string[] };
  const rows = Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const required = schema.required?.includes(key) ? "required" : shownDefault(property.default);
    return `<tr><td><code>${escaped(key)}</code></td><td>${escaped(typeOf(property))}</td><td>${escaped(required)}</td><td>${escaped(property.description ?? "")}</td></tr>`;
  });
  if (rows.length === 0) return "<p>Takes nothing.</p>";
  return `<table><thead><tr><th>input</th><th>type</th><th>default</th><th>what it does</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function typeOf({ type = "", enum: choices, items }: Property): string {
  if (choices) return choices.join(" | ");
  if (type !== "array") return type;
  return items?.enum ? `list of ${items.enum.join(" | ")}` : `list of ${items?.type ?? "values"}`;
}

function shownDefault(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function example({ method, path, operation }: Route): string {
  const required = operation ? ((inputSchema(operation).required as string[] | undefined) ?? []) : [];
  const body = JSON.stringify(Object.fromEntries(required.map((key) => [key, "…"])));
  const data = method === "POST" ? ` \\\n  -H "Content-Type: application/json" -d '${body}'` : "";
  return `<pre>${escaped(`curl -H "Authorization: Bearer $DOSSIER_KEY"${data} \\\n  http://127.0.0.1:8137${path}`)}</pre>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
