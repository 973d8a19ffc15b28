import { type Rules, unquoted } from "../rules.ts";
import { childrenOf, none, textOf, within } from "../tree.ts";

/** A style sheet is one item: a single rule says little, and there are hundreds. */
export const css: Rules = {
  units: {},
  wrappers: [],
  comments: ["comment", "js_comment"],
  strings: ["string_value"],
  calls: {},
  members: {},
  names: [],
  imports: {
    import_statement: (tree, node) => {
      const quoted = within(tree, node, "string_value", "plain_value")[0] ?? childrenOf(tree, node)[0] ?? none;
      return [{ module: unquoted(textOf(tree, quoted)), names: [] }];
    },
  },
};
