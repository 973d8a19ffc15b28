import { expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context } from "../../index.ts";

const others = Array.from({ length: 30 }, (_, i) => `def part_${i}(order):\n    return order.of_${i}()\n`).join("\n\n");
const tree = {
  "shop/queue.py": `"""Orders that wait."""
from shop.limits import STALENESS

# As measured in spring.
CEILING = 250
UNRELATED = 77


def skips_queue(order):
    return order.priority > 9


class Queue:
    RETRIES = 13

    def send_waiting(self, orders, now):
        """Sends waiting orders once the queue has too many of them."""
        ready = []
        pause = self.RETRIES
        for order in orders:
            if len(orders) > CEILING or now - order.since > STALENESS:
                ready.append(order)
            elif skips_queue(order):
                ready.append(order)
        while ready and pause > 0:
            pause -= 1
            ready.pop()
        return ready


${others}
`,
  "shop/limits.py": `STALENESS = 3600\nOTHER_LIMIT = 42\n\n\n${others}\n`,
  "bank/limits.py": `STALENESS = 5\nCEILING = 6\npause = 9\n\n\n${others}\n`,
  "pages/list.go": `package pages

const (
	utmostSize = 512
	tiniestPart = 3
)

${Array.from({ length: 40 }, (_, i) => `func Part${i}(of int) int {\n\treturn of + ${i}\n}\n`).join("\n")}
`,
  "pages/split.go": `package pages

// SplitRows divides rows among pages that are not too large.
func SplitRows(rows []int) [][]int {
	var split [][]int
	for len(rows) > utmostSize {
		split = append(split, rows[:utmostSize])
		rows = rows[utmostSize:]
	}
	return append(split, rows)
}
`,
};

async function answer(query: string, maxTokens = 4000) {
  return context({ query, path: folder(tree), maxTokens } as never);
}

it("brings the constants, the field and the short helper that the leading function names, each where it is defined", async () => {
  const { text } = await answer("when does the queue send waiting orders?", 1000);
  const wanted = ["def send_waiting", "CEILING = 250", "STALENESS = 3600", "RETRIES = 13", "return order.priority > 9"];
  for (const line of [...wanted, "# As measured in spring."]) expect(text).toContain(line);
});

it("leaves out what only has the name of one, and constants that the function does not name", async () => {
  const { text } = await answer("when does the queue send waiting orders?", 1000);
  for (const other of ["STALENESS = 5", "CEILING = 6", "pause = 9", "UNRELATED", "OTHER_LIMIT"])
    expect(text).not.toContain(other);
});

it("brings one constant of a Go group in another file of the package", async () => {
  const { text } = await answer("how are rows split among pages?", 700);
  expect(text).toContain("utmostSize = 512");
});

it("prints each line once, and never more than the budget", async () => {
  for (const budget of [100, 150, 200, 300, 500, 1000]) {
    const { text, tokens } = await answer("when does the queue send waiting orders?", budget);
    expect(tokens.used).toBeLessThanOrEqual(budget);
    expect(text.split("CEILING = 250").length).toBeLessThanOrEqual(2);
    expect(text.split("RETRIES = 13").length).toBeLessThanOrEqual(2);
  }
});

it("brings nothing where links are not followed", async () => {
  const query = "when does the queue send waiting orders?";
  const { text } = await context({ query, path: folder(tree), maxTokens: 1000, expand: false } as never);
  expect(text).not.toContain("STALENESS = 3600");
});

it("prints what does the work of a function that is asked for by name, two steps far, and nothing else that it calls", async () => {
  const path = folder({
    "sender.py": `class Sender:
    def check(self, chunks):
        for chunk in chunks:
            assert chunk, "nothing to do"
        self.ready = len(chunks)
        self.chunks = list(chunks)
        self.sent = 0
        self.failed = 0
        self.waiting = True

${others}
`,
    "reader.py": `import threading
from sender import Sender


class Reader(Sender):
    def fetch(self, size):
        """Gets the rest of the file ahead of time."""
        chunks = [size]
        if chunks:
            self._start_fetch(chunks)

    def _start_fetch(self, chunks):
        self.check(chunks)
        worker = threading.Thread(target=self._fetch_thread, args=(chunks,))
        worker.start()

    def _fetch_thread(self, chunks):
        for chunk in chunks:
            self.send(chunk, "one after the other")


${others}
`,
  });
  const { text } = await context({ query: "Reader.fetch", path, maxTokens: 2000 });
  expect(text).toContain("target=self._fetch_thread");
  expect(text).toContain('self.send(chunk, "one after the other")');
  expect(text).not.toContain("nothing to do");
});
