import type { Ground } from "./ground.ts";
import type { ListedTool, Listing } from "./listing.ts";

const scopes = ["read", "write", "admin"];

/** The tools that a caller may use: far ones by their key's scope, and without a choice of project. */
export function offeredTo(
  { from, caller }: Pick<Ground, "from" | "caller">,
  tools: ListedTool[],
  access: Listing["access"],
): ListedTool[] {
  if (from === "near") return tools;
  const own = scopes.indexOf(caller.scope);
  return tools.filter(({ name }) => scopes.indexOf(access[name] ?? "read") <= own).map(withoutProject);
}

function withoutProject({ inputSchema, ...tool }: ListedTool): ListedTool {
  const { project: _, ...properties } = inputSchema.properties;
  return { ...tool, inputSchema: { ...inputSchema, properties } };
}
