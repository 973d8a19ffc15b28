import { expect, it } from "vitest";
import { extract } from "../extract.ts";

async function sections(text: string): Promise<string[]> {
  const { units } = await extract("R/join.R", text);
  return units.flatMap(({ kind, startLine, endLine, name }) =>
    kind === "section" ? [`${startLine}-${endLine} ${name}`] : [],
  );
}

it("takes documentation above NULL for a section, called by its name or its title", async () => {
  const text = `#' Context of a group\n#'\n#' @name context\nNULL\n\n#' Shop: prices for all\n#' @keywords internal\n"_PACKAGE"\n\n#' @rdname context\nn <- function() 1\n\n# A remark.\nNULL\n`;
  expect(await sections(text)).toEqual(["1-4 context", "6-8 Shop: prices for all"]);
});

it("divides long documentation where parameters, sections and examples begin", async () => {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `#' Line ${i} of it.\n`).join("");
  const parameters = "#' @param x One.\n#' @param y Other.\n";
  const text = `#' Joins\n${lines(20)}${parameters}${lines(20)}#' @section Many rows:\n${lines(20)}#' @examples\n#' join(x)\n#' @name joins\nNULL\n`;
  expect(await sections(text)).toEqual(["1-21 joins", "22-43 joins (2)", "44-64 joins (3)", "65-68 joins (4)"]);
});
