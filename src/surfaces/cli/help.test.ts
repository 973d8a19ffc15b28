import { describe, expect, it } from "vitest";
import { nouns } from "../../operations/core/commands.ts";
import { nounHelp } from "./help.ts";

describe("the page of a noun", () => {
  it.each(Object.keys(nouns))(
    "has its verbs, examples, and no line of prose wider than 100 columns: %s",
    async (noun) => {
      const [prose = "", examples = ""] = (await nounHelp(noun, false)).split("\nExamples\n");
      expect(prose).toContain(`dossier ${noun} <verb> [flags]`);
      expect(examples).toContain(`  dossier ${noun} `);
      expect(prose.split("\n").filter((line) => line.length > 100)).toEqual([]);
    },
  );
});
