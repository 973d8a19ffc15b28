import { DossierError } from "../../errors.ts";
import type { Operation } from "../../operations/core/operation.ts";
import type { RequestContext, Route } from "./route.ts";

/**
 * ETags for documents that two applications may change: the tag is the hash of the content, and a writer that sends
 * it back overwrites nothing newer.
 */

const tagged: Readonly<Record<string, Route["tagged"]>> = { get_document: "get", put_document: "put" };

export function taggedAs({ name }: Operation): Pick<Route, "tagged" | "headers"> | undefined {
  const method = Object.hasOwn(tagged, name) ? tagged[name] : undefined;
  return method && { tagged: method, headers: method === "put" ? ["ETag", "If-Match", "If-None-Match"] : ["ETag"] };
}

export function tagOf(output: unknown): string {
  return `"${(output as { document: { hash: string } }).document.hash}"`;
}

/** The condition that If-Match and If-None-Match set for the stored document. */
export function conditionOf(c: RequestContext, operation: Operation): { ifHash?: string } {
  if (taggedAs(operation)?.tagged !== "put") return {};
  const [match, noneMatch] = [c.req.header("if-match")?.trim(), c.req.header("if-none-match")?.trim()];
  if (noneMatch !== undefined) {
    if (noneMatch === "*" && match === undefined) return { ifHash: "none" };
    throw new DossierError("bad-input", "If-None-Match takes * here, and no If-Match beside it.");
  }
  if (match === undefined) return {};
  if (match === "*") return { ifHash: "any" };
  const tag = /^"([^"\s]{1,100})"$/.exec(match)?.[1];
  if (tag === undefined) throw new DossierError("bad-input", "If-Match takes one entity tag, as ETag gave it, or *.");
  return { ifHash: tag };
}
