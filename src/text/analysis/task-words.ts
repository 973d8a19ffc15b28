import { stem } from "./stem.ts";

/** Words that occur in tasks of any subject: a record that shares one of them says little about the task. */
const taskWords = `
please want wants make makes made sure write add build propose design plan look see find check list show give given take taken use used need needs
keep new old first next last time day days week month year way thing things people person should must can could would may also still already
again before after without within whether decide choose begin start end work works working good better best right wrong big large small long
short well much many few every each all both two three one some any other another same different own part number numbers place case point
problem problems question reason possible able ask asks say says tell know think try tried let get go come happen happens change changes changed
currently now later once while during until below above under over between through about against because so than then there here where when
what who how why mend fix correct improve explain describe prepare introduce extend rework allow avoid careful support complain complained
colleague colleagues implement handle ensure provide update create
not no nor never nothing none nobody only just even ever always often sometimes something anything everything somebody someone anyone everyone since per
second half whole twice back out off down up away too very quite rather real really actually become becomes became kind sort lot several various certain
enough more most less least such like yes otherwise instead meanwhile together alone exactly simply easily quickly
`;

let stems: Set<string> | undefined;

export function isTaskWord(term: string): boolean {
  stems ??= new Set(taskWords.trim().split(/\s+/).map(stem));
  return stems.has(term);
}
