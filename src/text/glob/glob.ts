import { GlobError, type GlobNode, parseGlob } from "./parse.ts";

export { GlobError };

/** A pattern of more characters, or of more states, is refused. */
const longestGlob = 500;
const mostStates = 5000;
/** States in cached sets, and transitions between them; with more of them the cache is cleared. */
const mostRememberedStates = 200_000;
const mostTransitions = 20_000;

export type Glob = {
  matches(path: string): boolean;
  /** States visited so far: the cost of matching, counted instead of timed. Cached transitions cost nothing. */
  steps(): number;
  /** How many states there are: no character of a path costs more than twice as many steps. */
  states: number;
};

type State =
  | { kind: "take"; has: (point: number) => boolean; next: number }
  | { kind: "split"; next: number[] }
  | { kind: "accept" };

/** States that are reached together, and what each character leads to from there. */
type StateSet = { takes: number[]; accepts: boolean; after: Map<number, StateSet> };

const slash = 47;
const anyPoint = () => true;
const notSlash = (point: number) => point !== slash;

/**
 * A glob as a finite automaton. A backtracking regular expression takes exponential time for `*?*?*?Z`; here all
 * alternatives are followed at once, so the time grows only with the length of the path.
 */
export function compileGlob(glob: string, { anyDepth = false, folder = false } = {}): Glob {
  if (glob.length > longestGlob) throw new GlobError(`a pattern has at most ${longestGlob} characters`);
  const nodes = parseGlob(glob);
  if (anyDepth) nodes.unshift({ kind: "globstar", slash: "after" });
  if (folder) nodes.push({ kind: "globstar", slash: "before" });
  const states: State[] = [{ kind: "accept" }];
  const start = chain(states, nodes, 0);
  const automaton = new Automaton(states, start);
  return {
    matches: (path) => automaton.matches(path),
    steps: () => automaton.steps,
    states: states.length,
  };
}

/** Follows all states at once, and caches the sets of states and the transitions between them. */
class Automaton {
  steps = 0;
  readonly #states: readonly State[];
  readonly #start: number;
  readonly #sets = new Map<string, StateSet>();
  #rememberedStates = 0;
  #transitions = 0;
  #first: StateSet;

  constructor(states: readonly State[], start: number) {
    this.#states = states;
    this.#start = start;
    this.#first = this.#closure([start]);
  }

  matches(path: string): boolean {
    let set = this.#first;
    for (let at = 0; at < path.length; at++) {
      const point = path.codePointAt(at)!;
      if (point > 0xffff) at++;
      set = set.after.get(point) ?? this.#follow(set, point);
      if (set.takes.length === 0 && !set.accepts) return false;
    }
    return set.accepts;
  }

  #follow(set: StateSet, point: number): StateSet {
    const reached: number[] = [];
    for (const state of set.takes) {
      this.steps++;
      const node = this.#states[state] as State & { kind: "take" };
      if (node.has(point)) reached.push(node.next);
    }
    const next = this.#closure(reached);
    set.after.set(point, next);
    this.#transitions++;
    if (this.#rememberedStates > mostRememberedStates || this.#transitions > mostTransitions) this.#forget();
    return next;
  }

  /** The set of states that are reached from these without a character. */
  #closure(from: readonly number[]): StateSet {
    const seen = new Set<number>();
    const open = [...from];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      this.steps++;
      const node = this.#states[state]!;
      if (node.kind === "split") open.push(...node.next);
    }
    const takes = [...seen].filter((state) => this.#states[state]!.kind === "take").sort((a, b) => a - b);
    const accepts = seen.has(0);
    const key = `${accepts}${takes.join()}`;
    const existing = this.#sets.get(key);
    if (existing) return existing;
    const set = { takes, accepts, after: new Map<number, StateSet>() };
    this.#sets.set(key, set);
    this.#rememberedStates += takes.length + 1;
    return set;
  }

  #forget(): void {
    this.#sets.clear();
    this.#rememberedStates = 0;
    this.#transitions = 0;
    this.#first = this.#closure([this.#start]);
  }
}

/** The first state of these nodes in a row, the last of which leads to `next`. */
function chain(states: State[], nodes: readonly GlobNode[], next: number): number {
  return nodes.reduceRight((behind, node) => stateOf(states, node, behind), next);
}

function stateOf(states: State[], node: GlobNode, next: number): number {
  const add = (state: State) => {
    if (states.length >= mostStates) throw new GlobError("the pattern has too many choices");
    return states.push(state) - 1;
  };
  const take = (has: (point: number) => boolean, to: number) => add({ kind: "take", has, next: to });
  const split = (...ways: number[]) => add({ kind: "split", next: ways });
  const many = (has: (point: number) => boolean, to: number) => {
    const loop: State & { kind: "split" } = { kind: "split", next: [to] };
    const at = add(loop);
    loop.next.push(take(has, at));
    return at;
  };
  switch (node.kind) {
    case "literal":
      return take((point) => point === node.point, next);
    case "class":
      return take((point) => point !== slash && node.has(point), next);
    case "star": {
      const rest = many(notSlash, next);
      return node.least === 1 ? take(notSlash, rest) : rest;
    }
    case "globstar":
      if (node.slash === "none") return many(anyPoint, next);
      if (node.slash === "after")
        return split(
          next,
          many(
            anyPoint,
            take((point) => point === slash, next),
          ),
        );
      return split(
        next,
        take((point) => point === slash, many(anyPoint, next)),
      );
    case "either":
      return split(...node.choices.map((choice) => chain(states, choice, next)));
    case "repeat": {
      if (node.mark === "@" || node.mark === "?") {
        const ways = node.choices.map((choice) => chain(states, choice, next));
        return split(...ways, ...(node.mark === "?" ? [next] : []));
      }
      const loop: State & { kind: "split" } = { kind: "split", next: [] };
      const at = add(loop);
      // Behind each choice the next one may begin, or what follows.
      const repeat = split(at, next);
      loop.next.push(...node.choices.map((choice) => chain(states, choice, repeat)));
      return node.mark === "*" ? split(at, next) : at;
    }
  }
}
