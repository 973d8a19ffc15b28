import * as z from "zod";
import { errorCodes } from "../../../errors.ts";
import { scopeRange, scopeSentence } from "../../../operations/core/access.ts";
import type { Operation } from "../../../operations/core/operation.ts";
import { version } from "../../../package.ts";
import { otherNames, withheld } from "../inputs.ts";
import type { Route } from "../route.ts";

type Json = Record<string, unknown>;

/** The API as OpenAPI 3.1, made of the routes and the schemas that check them. */
export function describeApi(routes: Route[]): Json {
  const schemas: Json = { Failure: failureSchema };
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const { operation } = route;
    if (operation) {
      // Its parameters describe a query, so it needs no body.
      if (route.method === "POST") schemas[inputName(route)] ??= inputSchemaOf(route);
      schemas[nameOf(operation, "Output")] ??= outputSchema(operation);
    }
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Dossier",
      version,
      summary: "The best evidence of a workspace as one cited document within a token budget",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ key: [] }],
    tags: [
      { name: "operations", description: "Every verb; the inputs, defaults and results of the command line" },
      { name: "context", description: "The context of a thread's next message" },
      { name: "service", description: "The server itself" },
    ],
    paths,
    components: {
      schemas,
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "A key of `dossier key create`; its scope (read, write, admin) decides what it may do.",
        },
      },
      headers: {
        RequestId: {
          description: "The request's own X-Request-Id, or one that was made for it",
          schema: { type: "string" },
        },
        EntityTag: { description: "The hash of the document's content, in quotes", schema: { type: "string" } },
        RetryAfter: { description: "Seconds to wait", schema: { type: "integer", minimum: 1 } },
      },
      responses: Object.fromEntries(
        Object.keys(failures).map((status) => [`Failure${status}`, failureResponse(status)]),
      ),
    },
  };
}

/** Failures that any request may get, by status. */
const failures: Record<string, string> = {
  400: "The body is not JSON, or an input is wrong; the message names it",
  401: "There is no key, or it is unknown, expired or revoked",
  403: "The key's scope is too small, or the page's origin is not allowed",
  404: "There is no such thing among what the key's owner has",
  409: "It contradicts the state that something is in",
  412: "What is stored is not what If-Match or ifHash names",
  413: "The body or a text in it is too large",
  415: "The body is not application/json",
  421: "The server is not called by the name in Host",
  422: "It is understood, and cannot be done",
  429: "Too many requests of this key",
  499: "It was broken off",
  500: "The server failed; its log has the reason under the request's id",
  502: "What it needs from another program, a model or the notes application, did not come",
  503: "Too much is under way, or the server is stopping",
  504: "It took too long",
  507: "The disk is full",
};

const failureSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "fix", "requestId"],
      properties: {
        code: { type: "string", enum: Object.keys(errorCodes) },
        message: { type: "string", description: "One sentence that names what is wrong" },
        fix: { type: "string", description: "What to do about it" },
        requestId: { type: "string" },
      },
    },
  },
};

function failureResponse(status: string): Json {
  const waits = status === "429" || status === "503";
  return {
    description: failures[status],
    headers: {
      "X-Request-Id": { $ref: "#/components/headers/RequestId" },
      ...(waits && { "Retry-After": { $ref: "#/components/headers/RetryAfter" } }),
      ...(status === "401" && { "WWW-Authenticate": { schema: { type: "string" } } }),
    },
    content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
  };
}

function describeRoute(route: Route): Json {
  const { operation, summary, open } = route;
  const reference = operation && { $ref: `#/components/schemas/${inputName(route)}` };
  const takesBody = operation && route.method === "POST";
  const required = operation ? ((inputSchema(operation).required as string[] | undefined) ?? []).length > 0 : false;
  const described = ["401", "403", "421", "429", "500", "503"];
  const others = operation
    ? ["400", "404", "409", ...(route.tagged === "put" ? ["412"] : []), "413", "415", "422", "499", "502", "504", "507"]
    : [];
  return {
    operationId: operationId(route),
    summary,
    description: needsOf(route),
    tags: [route.renamed ? "context" : operation ? "operations" : "service"],
    ...(open === "all" && { security: [] }),
    ...(open === "local" && { security: [{ key: [] }, {}] }),
    ...(takesBody && { requestBody: { required, content: { "application/json": { schema: reference } } } }),
    ...(route.tagged === "put" && { parameters: conditions }),
    ...(operation && !takesBody && { parameters: queryParameters(route) }),
    responses: {
      200: success(route),
      ...Object.fromEntries(
        [...described, ...others].sort().map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]),
      ),
    },
  };
}

const conditions = [
  {
    name: "If-Match",
    in: "header",
    description: "Only in place of what has this entity tag; * where something must be stored",
    schema: { type: "string" },
  },
  {
    name: "If-None-Match",
    in: "header",
    description: "Only where nothing is stored",
    schema: { type: "string", const: "*" },
  },
];

/** The key that a route needs, in a sentence. */
export function needsOf({ open, scope, operation }: Route): string {
  if (open === "all") return "Needs no key.";
  const range = operation && scopeRange(operation);
  if (operation && range?.least !== range?.most) return `Needs a key of the scope ${scopeSentence(operation)}.`;
  return `Needs a key of the scope ${scope}${open === "local" ? ", or to be asked from the server's own machine" : ""}.`;
}

function success(route: Route): Json {
  const { operation, contentType, answers } = route;
  const headers = {
    "X-Request-Id": { $ref: "#/components/headers/RequestId" },
    ...(route.tagged && { ETag: { $ref: "#/components/headers/EntityTag" } }),
  };
  if (!operation) {
    const schema = contentType ? { type: "string" } : { type: "object" };
    return { description: route.summary, headers, content: { [contentType ?? "application/json"]: { schema } } };
  }
  const events =
    "Events `progress` while it works; the last one is `result` with the same data as JSON would have, or `error`.";
  return {
    description: operation.summary,
    headers,
    content: {
      "application/json": { schema: wrapped(operation, answers) },
      "text/event-stream": { schema: { type: "string", description: events } },
    },
  };
}

function wrapped(operation: Operation, answers: Route["answers"]): Json {
  const output = { $ref: `#/components/schemas/${nameOf(operation, "Output")}` };
  if (answers === "success") {
    // Inlined, since a schema that refuses other properties cannot be extended by reference.
    const { properties, required = [], ...rest } = outputSchema(operation) as { properties: Json; required?: string[] };
    const success = { type: "boolean", const: true };
    return { ...rest, properties: { success, ...properties }, required: ["success", ...required] };
  }
  if (answers !== "data") return output;
  const count = { type: "integer", minimum: 0 };
  const counts = ["tokenUsage", "sourceCount", "citationCount"];
  const properties = Object.fromEntries(counts.map((name) => [name, count]));
  const meta = { type: "object", required: counts, properties };
  return { type: "object", required: ["data", "meta"], properties: { data: output, meta } };
}

function queryParameters(route: Route): Json[] {
  const { properties = {}, required = [] } = inputSchemaOf(route) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    description,
    schema,
  }));
}

/** The input schema of a route, under the names that it takes. */
export function inputSchemaOf(route: Route): Json {
  const schema = inputSchema(route.operation!);
  if (!route.renamed) return schema;
  const publicNames = new Map(Object.entries(otherNames).map(([name, own]) => [own, name]));
  const properties = Object.entries(schema.properties as Json).map(([key, value]) => [
    publicNames.get(key) ?? key,
    value,
  ]);
  const required = (schema.required as string[] | undefined)?.map((key) => publicNames.get(key) ?? key);
  return { ...schema, properties: Object.fromEntries(properties), ...(required && { required }) };
}

function inputName({ operation, renamed }: Route): string {
  return `${renamed ? "First" : ""}${nameOf(operation!, "Input")}`;
}

/** An operation's input as HTTP takes it. */
function inputSchema(operation: Operation): Json {
  const schema = inPlace(z.toJSONSchema(operation.input, { io: "input" }) as Json, nameOf(operation, "Input"));
  const properties = Object.entries((schema.properties as Record<string, Json> | undefined) ?? {})
    .filter(([key]) => !withheld.includes(key))
    .map(([key, property]) => [key, ofHttp(property)]);
  const required = ((schema.required as string[] | undefined) ?? []).filter((key) => !withheld.includes(key));
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/**
 * An input's schema without what only other surfaces need. JSON in a string, as a command line takes it, is JSON here.
 */
function ofHttp({ fromFile: _, whole: __, json, suggestions, ...property }: Json): Json {
  if (json) return { ...property, type: "array", items: json };
  return suggestions ? { ...property, examples: suggestions } : property;
}

export function outputSchema(operation: Operation): Json {
  return inPlace(z.toJSONSchema(operation.output, { io: "output" }) as Json, nameOf(operation, "Output"));
}

/** Rewrites a schema's references to its own parts, so that they begin at the root of the document. */
function inPlace(schema: Json, name: string): Json {
  const { $schema: _, ...rest } = schema;
  const text = JSON.stringify(rest).replaceAll('"$ref":"#', `"$ref":"#/components/schemas/${name}`);
  return JSON.parse(text, (_key, value: unknown) => withProperties(value)) as Json;
}

/**
 * A record with known keys is described by a pattern of names; as properties, generators of types understand it too.
 */
function withProperties(value: unknown): unknown {
  const { propertyNames, additionalProperties, ...rest } = Object(value) as Json;
  const names = (propertyNames as { enum?: string[] } | undefined)?.enum;
  if (!names || typeof additionalProperties !== "object" || rest.properties) return value;
  const properties = Object.fromEntries(names.map((each) => [each, additionalProperties]));
  return { ...rest, properties, additionalProperties: false };
}

function nameOf({ name }: Operation, part: "Input" | "Output"): string {
  return `${pascal(name)}${part}`;
}

function operationId({ method, path, operation }: Route): string {
  if (operation && path === `/v1/${operation.name}`) return operation.name;
  return `${method.toLowerCase()}_${path.slice(1).replaceAll(/\W+/g, "_")}`;
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}
