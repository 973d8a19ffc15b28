import { expect, it } from "vitest";
import { isTemplate } from "./templates.ts";

it.each(["lib/server/views/failed.erb", "src/theme/index.hbs", "shop/templates/cart/list.html", "_includes/head.html"])(
  "takes %s for a page that the program fills in",
  (path) => expect(isTemplate(path)).toBe(true),
);

it.each(["docs/guide.html", "README.md", "docs/templates.md", "src/views/cart.ts", "docs/views.html"])(
  "takes %s for something else",
  (path) => expect(isTemplate(path)).toBe(false),
);
