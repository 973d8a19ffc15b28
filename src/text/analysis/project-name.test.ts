import fc from "fast-check";
import { expect, it } from "vitest";
import { withoutProjectName } from "./project-name.ts";

it.each([
  [
    "ninja",
    "how does ninja decide that an output is out of date?",
    "how does it decide that an output is out of date?",
  ],
  ["ninja", "where in ninja are depfiles parsed?", "where in it are depfiles parsed?"],
  ["flask", "How are Flask's blueprints registered?", "How are its blueprints registered?"],
  ["flask", "what happens in Flask when a view raises", "what happens in it when a view raises"],
  // A common word, where the grammar says that the project is meant.
  ["requests", "how does requests follow a redirect?", "how does it follow a redirect?"],
  [
    "express",
    "when Express parses a query string, what is decoded?",
    "when it parses a query string, what is decoded?",
  ],
])("takes %s out of %j", (name, question, expected) => {
  expect(withoutProjectName(question, [name])).toBe(expected);
});

it.each([
  ["requests", "how are requests retried?"],
  ["requests", "what is sent in requests to other hosts?"],
  ["jwt", "how is a JWT decoded and checked?"],
  ["console", "how does the console wrap long lines?"],
  ["flask", "what is flask?"],
  ["flask", "what does flask.json.dumps do with dates?"],
  ["flask", "how is `flask` run from the command line?"],
  ["flask", "where is flask-login loaded?"],
  ["flask", "how does src/flask/app.py find the root path?"],
])("leaves %s in %j", (name, question) => {
  expect(withoutProjectName(question, [name])).toBe(question);
});

it("never changes a text without the name, nor throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ minLength: 2, maxLength: 8 }), (text, name) => {
      const replaced = withoutProjectName(text, [name]);
      if (!text.toLowerCase().includes(name.toLowerCase())) expect(replaced).toBe(text);
    }),
  );
});
