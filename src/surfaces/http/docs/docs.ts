import { groups as operationGroups } from "../../../operations/core/operation.ts";
import { version } from "../../../package.ts";
import type { Route } from "../route.ts";
import { script, style } from "./docs-parts.ts";
import { inputSchemaOf, needsOf, outputSchema } from "./openapi.ts";

/** The page that shows the API to people, made from the same routes and schemas as its OpenAPI description. */
export function docsPage(routes: Route[]): string {
  const groups = grouped(routes);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dossier API</title>
<style>${style}</style>
</head>
<body>
<nav aria-label="Routes">
<p>Dossier API</p>
${groups.map(contents).join("\n")}
</nav>
<main>
<h1>Dossier API</h1>
<p class="soft">Version ${escaped(version)}. The same as <a href="/openapi.json">openapi.json</a>, for people.</p>
<p>Send inputs as a JSON object and a key as <code>Authorization: Bearer dsr_…</code> (<code>dossier key create</code> makes one;
on the server's own machine none is needed until the first one exists). A failure is
<code>{"error": {"code", "message", "fix", "requestId"}}</code>. With <code>Accept: text/event-stream</code> an operation sends
<code>progress</code> events and its answer as the last event, <code>result</code> or <code>error</code>.</p>
<div class="tools" hidden>
<label>Filter (press /)<input id="filter" type="search" autocomplete="off" placeholder="thread, maxTokens, write …"></label>
<label>Key, to try routes out<input id="key" type="password" autocomplete="off" placeholder="dsr_…"></label>
</div>
<p id="nothing" hidden>No route has all of these words.</p>
${groups.map(section).join("\n")}
</main>
<script>${script}</script>
</body>
</html>
`;
}

type Group = { title: string; routes: Route[] };

/** Routes by the operations' groups; the other routes come last. */
function grouped(routes: Route[]): Group[] {
  const titleOf = ({ operation, renamed }: Route) => {
    if (!operation) return "Service";
    return renamed ? "Context of a thread" : (operation.group ?? "Other");
  };
  const titles = ["Context of a thread", ...operationGroups, "Other", "Service"];
  return titles
    .map((title) => ({ title, routes: routes.filter((route) => titleOf(route) === title) }))
    .filter((group) => group.routes.length > 0);
}

function contents({ title, routes }: Group): string {
  const links = routes.map((route) => `<li><a href="#${idOf(route)}">${escaped(shortName(route))}</a></li>`);
  return `<a href="#${anchor(title)}">${escaped(title)}</a>\n<ul>${links.join("")}</ul>`;
}

function shortName({ path, method, operation }: Route): string {
  if (operation) return path.replace(/^\/v1\//, "");
  return method === "GET" ? path : `${method} ${path}`;
}

function section({ title, routes }: Group): string {
  return `<section id="${anchor(title)}"><h2>${escaped(title)}</h2>\n${routes.map(entry).join("\n")}\n</section>`;
}

function entry(route: Route): string {
  const { method, path, summary, operation } = route;
  const inputs = operation ? Object.keys(propertiesOf(inputSchemaOf(route))) : [];
  const words = escaped([method, path, summary, needsOf(route), ...inputs].join(" ").toLowerCase());
  return `<section id="${idOf(route)}" data-words="${words}">
<h3><a href="#${idOf(route)}"><span class="method ${method.toLowerCase()}">${method}</span><code>${escaped(path)}</code></a></h3>
<p>${escaped(summary)}.</p>
<p class="needs">${escaped(needsOf(route))}</p>
${inputTable(route)}${outputTable(route)}${tryForm(route)}</section>`;
}

type Property = {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  items?: { enum?: string[]; type?: string };
};

type Schema = { properties?: Record<string, Property>; required?: string[] };

function propertiesOf(schema: object): Record<string, Property> {
  return (schema as Schema).properties ?? {};
}

function inputTable(route: Route): string {
  if (!route.operation) return "";
  const schema = inputSchemaOf(route) as Schema;
  const rows = Object.entries(propertiesOf(schema)).map(([key, property]) => {
    const required = schema.required?.includes(key) ? ["required"] : shownDefault(property.default);
    return row(key, property, required);
  });
  if (rows.length === 0) return "<p>Takes nothing.</p>";
  return details(`Takes ${rows.length === 1 ? "one input" : `${rows.length} inputs`}`, table(rows));
}

function outputTable({ operation, answers }: Route): string {
  if (!operation || answers === "success") return "";
  const rows = Object.entries(propertiesOf(outputSchema(operation))).map(([key, property]) => row(key, property));
  return rows.length === 0 ? "" : details(answers === "data" ? "Answers with data, and meta" : "Answers", table(rows));
}

/** A row: the name, the description, and below it the type and limits. */
function row(key: string, property: Property, more: string[] = []): string {
  const description = property.description ? `${escaped(property.description)}<br>` : "";
  const facts = escaped([typeOf(property), ...more].filter((each) => each !== "").join("; "));
  return `<tr><th scope="row"><code>${escaped(key)}</code></th><td>${description}<span class="soft">${facts}</span></td></tr>`;
}

function table(rows: string[]): string {
  return `<table><tbody>${rows.join("")}</tbody></table>`;
}

function details(title: string, content: string): string {
  return `<details><summary>${title}</summary>${content}</details>\n`;
}

function typeOf(property: Property): string {
  const { type = "", enum: choices, const: only, items } = property;
  if (choices) return choices.join(" | ");
  if (only !== undefined) return JSON.stringify(only);
  if (type !== "array") return `${type}${rangeOf(property)}`;
  return items?.enum ? `list of ${items.enum.join(" | ")}` : `list of ${items?.type ?? "values"}`;
}

/** The stated limits, without those that every whole number in JSON has. */
function rangeOf({ minimum, maximum }: Property): string {
  const [from, to] = [minimum, maximum].map((limit) =>
    Number.isSafeInteger((limit ?? Infinity) * 2) ? limit : undefined,
  );
  if (from === undefined && to === undefined) return "";
  if (to === undefined) return ` from ${from}`;
  return from === undefined ? ` up to ${to}` : ` from ${from} to ${to}`;
}

function shownDefault(value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return [`default ${value.join(", ") || "none"}`];
  return [`default ${typeof value === "string" ? value : JSON.stringify(value)}`];
}

/** A request with curl, and a form that sends it from the page. */
function tryForm(route: Route): string {
  const { method, path, operation } = route;
  const body = operation && method === "POST" ? exampleBody(route) : undefined;
  const data = body === undefined ? "" : ` \\\n  -H "Content-Type: application/json" -d '${body}'`;
  const verb = method === "GET" || method === "POST" ? "" : ` -X ${method}`;
  const command = `curl${verb} -H "Authorization: Bearer $DOSSIER_KEY"${data} \\\n  http://127.0.0.1:8137${path}`;
  const field = body === undefined ? "" : `<textarea rows="3" aria-label="Body">${escaped(body)}</textarea>\n`;
  const canTry = operation || method === "GET";
  const form = `<form hidden data-method="${method}" data-path="${escaped(path)}">${field}<button>Send</button><pre class="answer" hidden></pre></form>`;
  return details(canTry ? "Try" : "Ask", `<pre>${escaped(command)}</pre>${canTry ? form : ""}`);
}

function exampleBody(route: Route): string {
  const schema = inputSchemaOf(route) as Schema;
  const example = ({ enum: choices, type }: Property) =>
    choices?.[0] ?? (type === "array" ? ["…"] : type === "boolean" ? true : "…");
  return JSON.stringify(
    Object.fromEntries((schema.required ?? []).map((key) => [key, example(propertiesOf(schema)[key] ?? {})])),
  );
}

function idOf({ method, path }: Route): string {
  return anchor(`${method}${path}`);
}

function anchor(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, "-");
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
