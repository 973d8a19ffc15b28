import type { Candidate } from "../../item.ts";
import type { Query } from "../../text/analysis/query.ts";
import { documentKey, namesVersion } from "./document-names.ts";

/** Leaves out older versions and translations of documents whose current version is also among the candidates. */
export function withoutCopies(candidates: Candidate[], { text, wantsRoles }: Query): Candidate[] {
  const isCopy = ({ item: { role, path }, signals }: Candidate) => {
    if (role !== "old-version" && role !== "translation") return false;
    const isAskedFor = wantsRoles.includes(role) || (signals.path ?? 0) > 0;
    return !isAskedFor && !(role === "old-version" && namesVersion(text, path));
  };
  const copies = candidates.filter(isCopy);
  if (copies.length === 0) return candidates;
  const current = new Set<string>();
  for (const candidate of candidates) {
    const { role, source, path } = candidate.item;
    if (source === "file" && role !== "old-version" && role !== "translation") current.add(documentKey(path));
  }
  return candidates.filter((candidate) => !isCopy(candidate) || !current.has(documentKey(candidate.item.path)));
}
