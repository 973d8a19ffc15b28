import { describe, expect, it } from "vitest";
import type { LiveHit } from "./api-responses.ts";
import { rankHits, searchesFor, topicWords } from "./topic.ts";

const hit = (id: string, name: string, tags: string[] = []): LiveHit => ({
  id,
  name,
  tags,
  tagged: [],
  breadcrumb: [],
  docType: "",
  inTrash: false,
});

describe("a topic", () => {
  it("is searched by its telling words, without plurals", () => {
    expect(topicWords("What are the open tasks of SOC Defender's launch?")).toEqual([
      "open",
      "task",
      "soc",
      "defender'",
      "launch",
    ]);
    expect(topicWords("to be or not to be")).not.toEqual([]);
    expect(topicWords("?!")).toEqual([]);
    expect(
      topicWords(
        "w"
          .repeat(10)
          .split("")
          .map((letter, at) => `${letter}${at}`)
          .join(" "),
      ),
    ).toHaveLength(8);
  });

  it("is searched strictly first, and leniently if there is more than one word", () => {
    expect(searchesFor(["a"])).toEqual({ strict: { textContains: "a" } });
    expect(searchesFor(["a", "b"])).toEqual({
      strict: { and: [{ textContains: "a" }, { textContains: "b" }] },
      lenient: { or: [{ textContains: "a" }, { textContains: "b" }] },
    });
    expect(searchesFor([])).toBeUndefined();
  });

  it("ranks the note of that name first, then by words, then notes with tags", () => {
    const hits = [
      hit("1", "launch party"),
      hit("2", "Launch plan review", ["task"]),
      hit("3", "launch", []),
      hit("4", "launch day", ["day"]),
    ];
    expect(rankHits(hits, "Launch plan", ["launch", "plan"]).map(({ id }) => id)).toEqual(["2", "4", "1", "3"]);
    expect(rankHits(hits, "launch", ["launch"]).map(({ id }) => id)[0]).toBe("3");
  });
});
