import { contextInput } from "../options.ts";
import { sourcesOf } from "./asked.ts";
import { fresh } from "./fresh.ts";
import { operation } from "./operation.ts";
import { contextOutput } from "./shapes.ts";

export const context = operation({
  name: "context",
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
  ],
  text: (output) => output.text,
  async run(input, environment) {
    const workspace = await environment.workspace();
    // The program is read while git lists the files.
    const [warnings, { assemble }] = await Promise.all([
      input.refresh ? fresh(workspace, environment, sourcesOf(input)) : [],
      import("../assemble.ts"),
    ]);
    const assembled = await assemble(workspace, input);
    return { ...assembled, warnings: [...warnings, ...assembled.warnings] };
  },
});
