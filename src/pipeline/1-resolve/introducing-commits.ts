import { type Candidate, isProse, isWholeFile } from "../../item.ts";
import { introducingCommit } from "../../sources/commits/introducing-commits.ts";
import { bringsLines } from "../../sources/source.ts";
import { introducedName } from "../../text/analysis/history-words.ts";
import { isHistoryQuestion, type Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Finding } from "../finding.ts";

/** Most definitions of the asked name whose history is searched. */
const mostFollowed = 3;

/** For "when was X added": the commit that introduced X into the code, beside those whose messages mention it. */
export async function withIntroducingCommit(
  findings: Finding[],
  query: Query,
  workspace: Workspace,
): Promise<Finding[]> {
  if (!isHistoryQuestion(query)) return findings;
  const files = findings.find(({ source }) => bringsLines(source));
  const commits = findings.find(({ ask }) => ask.historyFactor !== undefined);
  if (!files || !commits) return findings;
  const asked = definitionsOf(files.candidates, introducedName(query)).map(({ item }) =>
    isWholeFile(item.kind) ? { path: item.path } : { path: item.path, word: item.name },
  );
  const first = asked.length === 0 ? undefined : await introducingCommit(asked, workspace);
  if (!first) return findings;
  const others = commits.candidates.filter(({ item }) => item.id !== first.item.id);
  const known = commits.candidates.find(({ item }) => item.id === first.item.id);
  const leading = known ? { ...known, signals: { ...known.signals, ...first.signals } } : first;
  const withFirst = { ...commits, candidates: [leading, ...others] };
  return findings.map((finding) => (finding === commits ? withFirst : finding));
}

/**
 * What the question names, the most certain first: a path, a definition, or a name equal to the word before "added".
 */
function definitionsOf(candidates: readonly Candidate[], name: string | undefined): Candidate[] {
  const certainty = ({ item, signals }: Candidate) =>
    signals.named ?? (item.name.toLowerCase() === name?.toLowerCase() ? (signals.symbol ?? 0) : 0);
  const own = candidates.filter((each) => certainty(each) > 0 && !each.item.test);
  const code = own.filter(({ item }) => !isProse(item));
  const best = (code.length > 0 ? code : own).sort((a, b) => certainty(b) - certainty(a));
  return best.slice(0, mostFollowed);
}
