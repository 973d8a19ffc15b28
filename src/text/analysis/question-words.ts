import { stem } from "./stem.ts";

/** Words that people ask with rather than for. (Counting them less in the ranking gained nothing: 133 questions.) */
const generic = `
purpose relationship mechanism implement implementation handle handling work working role responsible responsibility happen difference
significance reason interact interaction affect ensure specific design architecture architectural approach impact decision behavior behaviour
logic codebase framework code explain describe show tell way thing exactly actually during regarding involve involved provide
enable allow support achieve underlying overall between within across does using used use define definition defined declare declared call called
`;

let stems: Set<string> | undefined;

export function isGeneric(term: string): boolean {
  stems ??= new Set(generic.trim().split(/\s+/).map(stem));
  return stems.has(term);
}
