import { contextInput } from "../../options.ts";
import { contextOutput } from "../core/item-shapes.ts";
import { operation } from "../core/operation.ts";
import { withLinks } from "../notes/note-links.ts";
import { assembleSince } from "./already-sent.ts";
import { prepare } from "./prepare.ts";

export const context = operation({
  name: "context",
  command: "context",
  group: "Ask",
  summary: "Answer a question with the best evidence of the workspace, as one cited document within a token budget",
  input: contextInput,
  output: contextOutput,
  positional: ["query"],
  examples: [
    { command: 'dossier "how is the token budget enforced?"', what: "the same as dossier context" },
    {
      command: "dossier context parseRequest --max-tokens 2000 --types function,method",
      what: "one function and what it needs",
    },
    {
      command: 'dossier context "retry with backoff" --format xml --paths "src/**,!src/vendor/**"',
      what: "XML, only some folders",
    },
    { command: "npm test 2>&1 | dossier -", what: "the code behind a stack trace" },
    { command: 'dossier context "launch plan" --lens planning --depth 3', what: "from the notes graph" },
    {
      command: 'dossier context "apollo" --tag task --field Status=open --sort due',
      what: "notes by their tags and fields",
    },
  ],
  text: (output) => output.text,
  async run(input, environment) {
    const workspace = await environment.workspace();
    // The pipeline's modules are loaded while git lists the files.
    const [{ warnings, request, recipe }] = await Promise.all([
      prepare(input, workspace, environment),
      import("../../assemble.ts"),
    ]);
    const context = await assembleSince(workspace, request, recipe, environment.receivedBundle);
    const assembled = await withLinks(context, workspace);
    return { ...assembled, query: input.query, warnings: [...new Set([...warnings, ...assembled.warnings])] };
  },
});
