import { type Candidate, isInFile, isProse, type Role } from "../../item.ts";
import type { SearchRequest } from "../../options.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import type { Query } from "../../text/analysis/query.ts";
import { namesVersion } from "../../tree/roles/document-names.ts";

/**
 * Factor for the role of an item's file (example, vendored, generated, …): the product's own code comes first unless
 * the query asks for that role.
 */
export function roleFactor(candidate: Candidate, query: Query, request: SearchRequest, recipe: Recipe): number {
  const { role, source } = candidate.item;
  if (!isInFile(source)) return 1;
  if (role && !isAskedFor(role, candidate, query, request)) return recipe.roleFactors[role];
  // For "how do I use" queries, documentation and examples lead.
  return query.wantsUsage && !isProse(candidate.item) && role !== "example" ? recipe.usageFactor : 1;
}

function isAskedFor(role: Role, { item, signals }: Candidate, query: Query, request: SearchRequest): boolean {
  if (query.wantsRoles.includes(role) || (signals.path ?? 0) > 0) return true;
  if (role === "changelog" && query.wantsHistory) return true;
  if (role === "example" && query.wantsUsage) return true;
  if (role === "old-version" && namesVersion(query.text, item.path)) return true;
  if (role === "declaration" && request.languages?.includes(item.language ?? "")) return true;
  return request.paths?.some((glob) => !glob.startsWith("!") && pathsOfRole[role].test(glob)) ?? false;
}

/** Path filters that point at files of a role: a request with such a filter asks for the role. */
const pathsOfRole: Record<Role, RegExp> = {
  example: /example|sample|demo|playground|tutorial|cookbook|docs?_src/i,
  fixture: /fixture|test[-_]?data|cassette|snapshot/i,
  benchmark: /bench|jmh/i,
  vendored: /vendor|third[-_]?party|3rd[-_]?party|extern|deps|wwwroot/i,
  generated: /generated|\.html?|doc/i,
  "build-output": /(?:^|\/)(?:dist|build|out|output|release|libs?|es|esm|cjs|umd|amd|commonjs|module|target)(?:\/|$)/i,
  declaration: /\.d\.[cm]?ts|\.pyi|types|typings/i,
  "old-version": /version|(?:^|\/)v?\d/i,
  translation:
    /i18n|l10n|locale|translat|(?:^|\/)[a-z]{2}(?:[-_][a-z]{2,4})?(?:\/|$)|[._-][a-z]{2}(?:[-_][a-z]{2,4})?\.\w+$/i,
  changelog: /change|history|news|release/i,
  project: /licen[cs]e|copying|contribut|conduct|security|\.(?:github|gitlab|circleci)|\.ya?ml|\.json/i,
};
