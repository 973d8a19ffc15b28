import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fairQueue, type Queued } from "./queue.ts";

type Entry = Queued & { number: number };

function entries(...pairs: [owner: string, operation: string][]): Entry[] {
  return pairs.map(([owner, operation], number) => ({ owner, operation, number }));
}

function order(queue: ReturnType<typeof fairQueue<Entry>>): string[] {
  const jobs: string[] = [];
  for (let entry = queue.take(); entry; entry = queue.take()) jobs.push(`${entry.owner} ${entry.operation}`);
  return jobs;
}

describe("jobs that wait", () => {
  it("are taken of one owner after the other, however many one has", () => {
    const queue = fairQueue<Entry>();
    for (const each of entries(
      ["ada", "build"],
      ["ada", "build"],
      ["ada", "build"],
      ["bob", "build"],
      ["eve", "build"],
    ))
      queue.add(each);
    expect(order(queue)).toEqual(["ada build", "bob build", "eve build", "ada build", "ada build"]);
  });

  it("are passed by short ones of the same owner", () => {
    const queue = fairQueue<Entry>();
    const [build, search] = entries(["ada", "build"], ["ada", "search"]);
    queue.took(build!, 100);
    queue.took(search!, 5);
    for (const each of entries(["ada", "build"], ["ada", "build"], ["ada", "search"])) queue.add(each);
    expect(order(queue)).toEqual(["ada search", "ada build", "ada build"]);
  });

  it("are passed by many short ones of another owner, but do not wait for good", () => {
    const queue = fairQueue<Entry>();
    const [build, search] = entries(["ada", "build"], ["bob", "search"]);
    queue.took(search!, 10);
    queue.took(build!, 100);
    queue.add(build!);
    let before = 0;
    // Bob asks again as soon as he is answered.
    for (;;) {
      queue.add({ ...search!, number: before });
      if (queue.take()!.owner === "ada") break;
      before++;
    }
    // A tenth of the time each, and eight times what the long one gets.
    expect(before).toBeGreaterThanOrEqual(60);
    expect(before).toBeLessThanOrEqual(90);
  });

  it("give nobody more for having been away", () => {
    const queue = fairQueue<Entry>();
    const build = (owner: string, number: number) => queue.add({ owner, operation: "build", number });
    for (let i = 0; i < 10; i++) build("ada", i);
    for (let i = 0; i < 5; i++) queue.take();
    for (let i = 0; i < 5; i++) build("bob", i);
    expect(order(queue).slice(0, 4)).toEqual(["bob build", "ada build", "bob build", "ada build"]);
  });

  it("are each taken once, in the order of their owner and operation, and none that was removed", () => {
    const job = fc.record({
      owner: fc.constantFrom("ada", "bob", "eve"),
      operation: fc.constantFrom("build", "search"),
    });
    const step = fc.oneof({ weight: 3, arbitrary: job }, { weight: 2, arbitrary: fc.constantFrom("take", "remove") });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = fairQueue<Entry>();
        let waiting: Entry[] = [];
        const check = (entry: Entry | undefined) => {
          const same = waiting.filter(
            ({ owner, operation }) => owner === entry?.owner && operation === entry.operation,
          );
          expect(entry).toBe(waiting.length === 0 ? undefined : same[0]);
          waiting = waiting.filter((each) => each !== entry);
        };
        steps.forEach((each, number) => {
          if (each === "take") check(queue.take());
          else if (each === "remove") {
            const last = waiting.pop();
            if (last) expect([queue.remove(last), queue.remove(last)]).toEqual([true, false]);
          } else {
            const entry = { ...each, number };
            waiting.push(entry);
            queue.add(entry);
          }
        });
        while (waiting.length > 0) check(queue.take());
        expect(queue.take()).toBeUndefined();
      }),
    );
  });
});
