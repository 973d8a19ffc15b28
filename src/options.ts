import * as z from "zod";
import { kinds, sourceNames } from "./item.ts";

/**
 * Every option, declared once: default, range and one sentence. CLI flags, MCP and HTTP schemas, the web form and
 * docs/options.md are all made from these declarations.
 */

export const formatNames = ["markdown", "xml", "plain", "json"] as const;
export const layoutNames = ["files", "entities"] as const;
export const encodingNames = ["o200k_base", "cl100k_base", "claude"] as const;
const strategyNames = ["text", "name", "path", "similar", "history", "graph"] as const;
export const truncationNames = ["signature-first", "bookend", "head"] as const;
const reportNames = ["parts", "levels", "budgets"] as const;
const recipeNames = ["auto", "code", "agent", "graph", "chat"] as const;

export const lensNames = ["general", "writing", "coding", "planning", "meeting-prep"] as const;

export const smallestBudget = 64;
const largestBudget = 1_000_000;

/** Characters of a question or a message; a log or a diff that was pasted fits. */
export const longestQuery = 250_000;

export const query = z
  .string()
  .max(longestQuery)
  .describe("A question, a name, a path, an error message or a stack trace");
export const hints = z
  .string()
  .max(2000)
  .optional()
  .describe(
    "Words and names that the code may use for it: guesses that help to find and rank it, and cost nothing where they are wrong",
  );
export const path = z.string().default(".").describe("The folder of the workspace, or any path inside it");
export const workspace = z
  .string()
  .min(1)
  .optional()
  .describe("Name or alias of a workspace, instead of its folder; see dossier workspace list");

const usualItems = 50;
const mostItems = 500;

/** Options that limit the search. */
export const searchOptions = {
  limit: z.number().int().min(1).max(mostItems).default(usualItems).describe("Most items to consider for the result"),
  minScore: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe("Leave out items that score below this, 0 to 1; 0 leaves that to how likely each is to be relevant"),
  strategies: z
    .array(z.enum(strategyNames))
    .min(1)
    .default([...strategyNames])
    .describe("Ways to search: text (BM25), name, path, similar (vectors), history (commits), graph (neighbours)"),
  sources: z
    .array(z.enum(sourceNames))
    .optional()
    .describe("Only these sources, for example code,file or memory,commit; all that the recipe asks by default"),
  types: z.array(z.enum(kinds)).optional().describe("Only these kinds of items, for example function,class"),
  paths: z
    .array(z.string().min(1).max(500))
    .max(200)
    .optional()
    .describe("Only paths that match these globs; ! excludes"),
  thread: z.string().min(1).optional().describe("The thread at hand: only its messages, and those it branched off"),
  languages: z.array(z.string().min(1)).optional().describe("Only these languages, for example python,go"),
  tests: z
    .enum(["auto", "include", "exclude", "only"])
    .default("auto")
    .describe("Test code: auto ranks it lower unless the question is about tests"),
  refresh: z.boolean().default(true).describe("Bring the index up to date before searching"),
  wait: z
    .boolean()
    .default(false)
    .describe("In a folder that is asked for the first time, wait until all of it is indexed"),
} as const;

/** Options that shape the document. */
export const assemblyOptions = {
  maxTokens: z
    .number()
    .int()
    .min(smallestBudget)
    .max(largestBudget)
    .default(4000)
    .describe("Hard ceiling on the rendered output, in tokens"),
  fill: z.boolean().default(false).describe("Use the whole budget; without it the document ends where relevance ends"),
  budget: z
    .enum(["hard", "soft"])
    .default("hard")
    .describe("soft may exceed maxTokens by a quarter, for the last item's sake, and then says by how much"),
  encoding: z
    .enum(encodingNames)
    .default("o200k_base")
    .describe("How tokens are counted; claude is an estimate with a safety margin"),
  format: z
    .enum(formatNames)
    .default("markdown")
    .describe(
      "Format of the document; JSON of a notes graph is { meta, nodes, overflow }, of all else { items }, where a file has its own as spans",
    ),
  layout: z
    .enum(layoutNames)
    .default("files")
    .describe("files: one block for each file, its parts in source order; entities: a block for each item"),
  lineNumbers: z.boolean().default(false).describe("Number every line of code; it costs about a tenth"),
  recipe: z.enum(recipeNames).default("auto").describe("Which sources, signals and sections to use"),
  contextLines: z
    .number()
    .int()
    .min(0)
    .max(50)
    .default(3)
    .describe("Lines of context before and after each piece of code"),
  includeImports: z
    .boolean()
    .default(true)
    .describe("Print the imports of other files of the workspace that the shown code uses, once per file"),
  includeSources: z.boolean().default(true).describe("End with the list of sources"),
  includeCodeContent: z.boolean().default(true).describe("Print code; without it only signatures and locations"),
  includeRelated: z.boolean().default(true).describe("Name the items that each item is linked to"),
  groupByType: z.boolean().default(true).describe("Group items: code, documentation, conversation, other"),
  truncation: z.enum(truncationNames).default("signature-first").describe("How an item that is too long is cut"),
  depth: z
    .number()
    .int()
    .min(0)
    .max(5)
    .optional()
    .describe("How many links to follow from what was found: 1, or 2 in a notes graph, unless you say"),
  expand: z.boolean().default(true).describe("Add linked items (callers, callees, parents) to what was found"),
  expandTokens: z
    .number()
    .int()
    .min(0)
    .max(largestBudget)
    .optional()
    .describe("At most this many tokens for linked items"),
  since: z
    .string()
    .regex(/^(?:start|bun-[0-9a-z]{1,20})$/, "a bundle of an earlier answer, or start")
    .optional()
    .describe("Only what earlier answers did not give: the bundle of the last one, or start for the first"),
} as const;

const itemId = z
  .string()
  .trim()
  .regex(/^\[?[a-z]{3}-[\w-]{1,100}\]?$/, "an id or a citation, for example cod-1k3f");
const mostChosen = 200;

/** The caller's decisions on single items, and what the result reports. */
const choiceOptions = {
  pin: z
    .array(itemId)
    .max(mostChosen)
    .optional()
    .describe("Items that must be in the document, by id or citation (cod-1k3f); what was only found makes way"),
  exclude: z
    .array(itemId)
    .max(mostChosen)
    .optional()
    .describe("Items that must not be in the document, by id or citation"),
  level: z
    .array(
      z
        .string()
        .trim()
        .regex(
          /^\[?[a-z]{3}-[\w-]{1,100}\]?=(?:full|elided|signature|pointer)$/,
          "an id and a level: cod-1k3f=signature",
        ),
    )
    .max(mostChosen)
    .optional()
    .describe("How much is printed of single items, which are pinned: cod-1k3f=full; elided, signature or pointer"),
  report: z
    .array(z.enum(reportNames))
    .optional()
    .describe(
      "Say more of the result: parts (tokens of each piece of the text), levels (what each level of an item takes), budgets (with which each left-out item is printed; slow)",
    ),
} as const;

/** Options for questions about a notes graph. */
export const noteOptions = {
  lens: z
    .string()
    .min(1)
    .meta({ suggestions: [...lensNames] })
    .optional()
    .describe("How to look at the notes graph: general, writing, coding, planning, meeting-prep or one of your own"),
  includeFields: z.boolean().default(true).describe("Print the fields of notes; those of the lens are always printed"),
  excludeTag: z.array(z.string().min(1)).optional().describe("Leave out notes with these tags, or tags below them"),
  newerThan: z.string().optional().describe("Only notes changed since a date or age: 2026-01-31, 30d, 1y"),
  tag: z
    .array(z.string().trim().min(1).max(200))
    .max(20)
    .optional()
    .describe("Only notes with all of these tags, or tags below them; a task is also what has a checkbox"),
  field: z
    .array(z.string().trim().min(1).max(1000))
    .max(50)
    .meta({ whole: true })
    .optional()
    .describe(
      "Only notes whose fields are so, all of them: Status=open, Due<2026-12-01, Owner~ada, Due present, Due absent",
    ),
  sort: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("Order notes by a field: due, or -due for the last first"),
  offline: z.boolean().default(false).describe("Do not ask the notes application, only what was imported"),
  overflowFrom: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Only the names of notes that had no room, from this place in their list on"),
} as const;

export const searchInput = z.object({ query, hints, path, workspace, ...searchOptions });
export const contextInput = z.object({
  query: query
    .default("")
    .describe("A question, a name, a path, an error message or a stack trace; none where tag or field is given"),
  hints,
  path,
  workspace,
  ...searchOptions,
  limit: searchOptions.limit
    .unwrap()
    .optional()
    .describe(
      "Most items to consider for the result: 50, more where the budget is above 10,000 tokens, or as many notes as may fit, up to 5,000, unless you say",
    ),
  ...assemblyOptions,
  ...choiceOptions,
  ...noteOptions,
});

/**
 * Set where a question is asked as of then. `before`: commits of this time or later are no evidence. `upTo`: nor are
 * messages of the thread at hand with a larger number.
 */
type AsOf = { before?: number; upTo?: number };
export type SearchRequest = z.output<typeof searchInput> & AsOf;
export type ContextInput = z.output<typeof contextInput>;
/**
 * A fully defaulted request: what every stage of the pipeline reads. `given`: what the reader has already
 * (pipeline/7-budget/already-sent.ts). `caveats`: sentences on what this answer could not be made from, which the
 * document begins with.
 */
export type Request = ContextInput &
  AsOf & { limit: number; depth: number; given?: ReadonlySet<string>; caveats?: readonly string[] };

/** The fewest tokens of a note: more of them than the budget has room for are not searched. */
const tokensPerNote = 25;
const mostNotes = 5000;
/** The usual tokens of another item. With a very large budget, the usual number of them would leave it unused. */
const tokensPerItem = 200;

/** Notes are small and meant to be walked: more of them are looked at, and further. */
export function requestOf(input: ContextInput): Request {
  const isGraph = input.recipe === "graph";
  const [each, most] = isGraph ? [tokensPerNote, mostNotes] : [tokensPerItem, mostItems];
  const limit = Math.min(most, Math.max(usualItems, Math.ceil(input.maxTokens / each)));
  return { ...input, limit: input.limit ?? limit, depth: input.depth ?? (isGraph ? 2 : 1) };
}
