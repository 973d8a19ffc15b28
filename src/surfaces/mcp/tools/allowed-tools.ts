import type { CallTarget } from "../call-target.ts";
import type { ListedTool, ToolListing } from "./listing.ts";

const scopes = ["read", "write", "admin"];

/** The tools that a caller may use: remote callers by their key's scope, and without a choice of project. */
export function offeredTo(
  { from, caller }: Pick<CallTarget, "from" | "caller">,
  tools: ListedTool[],
  access: ToolListing["access"],
): ListedTool[] {
  if (from === "local") return tools;
  const scopeLevel = scopes.indexOf(caller.scope);
  return tools.filter(({ name }) => scopes.indexOf(access[name] ?? "read") <= scopeLevel).map(withoutProject);
}

function withoutProject({ inputSchema, ...tool }: ListedTool): ListedTool {
  const { project: _, ...properties } = inputSchema.properties;
  return { ...tool, inputSchema: { ...inputSchema, properties } };
}

/** The tools with the lenses that a workspace has, its own ones included. */
export function withLenses(tools: readonly ListedTool[], names: readonly string[]): ListedTool[] {
  return tools.map((tool) => {
    const { lens, ...others } = tool.inputSchema.properties;
    if (lens === undefined) return tool;
    const properties = Object.fromEntries(
      Object.keys(tool.inputSchema.properties).map((key) => [
        key,
        key === "lens" ? { ...lens, enum: [...names] } : others[key]!,
      ]),
    );
    return { ...tool, inputSchema: { ...tool.inputSchema, properties } };
  });
}
