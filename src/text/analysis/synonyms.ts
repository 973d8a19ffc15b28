import { stem } from "./stem.ts";

/** A synonym of one of a query's terms. `share`: how much a match of it counts, relative to the term itself. */
export type Alternative = { term: string; of: string; share: number };

/** Short forms of words in code: the same word, written by who has to type it often. */
const abbreviations = `
directory dir; function func fn; parameter param; argument arg; configuration config cfg; initialize init; execute exec; environment env; database db;
message msg; request req; response resp; image img; value val; variable var; temporary temp tmp; previous prev; authentication auth; password pwd;
column col; absolute abs; document doc; character char; boolean bool; expression expr; attribute attr; reference ref; source src; destination dest dst;
frequency freq; address addr; pointer ptr; buffer buf; connection conn; statement stmt; hexadecimal hex; decimal dec; dictionary dict; string str;
integer int; number num; maximum max; minimum min; length len; concatenate concat; difference diff; random rand; standard std;
synchronize sync; asynchronous async; repository repo; specification spec; administrator admin; application app; information info;
context ctx; transaction tx txn; callback cb; certificate cert; authorization authz; garbage gc; constructor ctor; property prop; object obj;
command cmd; package pkg; library lib; utility util; identifier id; position pos; iterator iter; implementation impl; operation op; error err;
internationalization i18n; localization l10n; accessibility a11y; regular regex regexp; descriptor fd; memory mem; process proc; control ctrl;
button btn; window win; table tbl; description desc; definition def; declaration decl; allocate alloc; evaluate eval; separator sep; delimiter delim
`;

/** Words that programmers use for the same thing. Each line is one group of a thesaurus. */
const synonyms = `
delete remove drop erase; create make generate build; get fetch retrieve obtain; find search lookup locate; list array; dict dictionary map;
string str text; integer int; number num count; maximum max largest biggest; minimum min smallest; average mean; directory dir folder;
function func method; parameter param argument arg; configuration config settings options; initialize init setup; execute exec run;
print display show output; split tokenize separate; join concatenate concat merge combine; convert transform cast; check verify validate;
sort order; compare diff; random rand; environment env; database db; message msg; error exception failure; request req; response resp;
image img picture; unique distinct; write save store dump; load open read; copy clone duplicate; size length len; position index offset;
element item entry; value val; variable var; temporary temp tmp; previous prev; authentication auth login; password pwd; column col;
absolute abs; calculate compute; iterate loop; append add push insert; lowercase lower; uppercase upper; whitespace blank space;
document doc; character char; boolean bool; regular regex; expression expr; attribute attr; reference ref; source src; destination dest dst;
enforce limit restrict constrain cap; standard std; deviation std; difference delta; frequency freq; address addr; pointer ptr; buffer buf; connection conn; statement stmt;
timestamp time; date datetime; url link; json serialize; binary bin; hexadecimal hex; decimal dec; matrix array; plot draw chart graph;
download fetch; upload send; close shutdown; start begin launch; stop halt terminate kill; wait sleep; parent ancestor; child descendant;
replace substitute; reverse invert flip; filter select; choose select pick; group cluster; encode encrypt; decode decrypt; flatten ravel; truncate cut trim strip;
synchronize sync; asynchronous async; repository repo; specification spec; administrator admin; application app; information info;
context ctx; transaction tx txn; callback cb; certificate cert; authorization authz; garbage gc; serialize marshal; deserialize unmarshal;
internationalization i18n; localization l10n locale; accessibility a11y
`;

/** Irregular forms, which no stemmer reduces: "was it sent" means sending. */
const irregular = `
go went gone; buy bought; bring brought; think thought; teach taught; catch caught; make made; take took taken; give gave given;
get got gotten; see saw seen; come came; become became; run ran; begin began begun; write wrote written; drive drove driven;
rise rose risen; break broke broken; choose chose chosen; freeze froze frozen; fall fell fallen; keep kept; meet met; leave left; lose lost;
send sent; spend spent; build built; tell told; sell sold; say said; pay paid; hear heard; hold held; stand stood; understand understood;
win won; find found; know knew known; grow grew grown; throw threw thrown; draw drew drawn; show shown; forget forgot forgotten;
hide hid hidden; lead led; feed fed; hang hung; stick stuck; mean meant; deal dealt; child children; man men; woman women; person people;
index indices; vertex vertices; matrix matrices; datum data; criterion criteria; schema schemata
`;

/** Measured on web questions about functions: a synonym is worth about a third of the word. */
const synonymShare = 0.3;
const formShare = 0.9;
/** With .3 the right file is first in 71.2 % of 226 questions, with .6 in 72.1, with .9 in 69.0; CoSQA 41.5, 41.4, 40.3. */
const abbreviationShare = 0.6;

let table: Map<string, Map<string, number>> | undefined;

/** The other words for these terms; nothing that is a term itself. */
export function alternativesOf(terms: readonly string[]): Alternative[] {
  table ??= read();
  const ownTerms = new Set(terms);
  return terms.flatMap((of) =>
    [...(table!.get(of) ?? [])].filter(([term]) => !ownTerms.has(term)).map(([term, share]) => ({ term, of, share })),
  );
}

/** The synonyms of a term as whole words, for a reader. */
export function synonymsOf(term: string): string[] {
  const groups = `${synonyms};${irregular}`.trim().split(/;\s*/);
  return groups
    .map((group) => group.trim().split(/\s+/))
    .filter((words) => words.some((word) => stem(word) === term))
    .flatMap((words) => words.filter((word) => stem(word) !== term));
}

function read(): Map<string, Map<string, number>> {
  const related = new Map<string, Map<string, number>>();
  for (const [groups, share] of [
    [synonyms, synonymShare],
    [abbreviations, abbreviationShare],
    [irregular, formShare],
  ] as const) {
    for (const group of groups.trim().split(/;\s*/)) {
      const stems = [...new Set(group.split(/\s+/).map(stem))];
      for (const one of stems) {
        const others = related.get(one) ?? new Map<string, number>();
        related.set(one, others);
        for (const other of stems) if (other !== one) others.set(other, Math.max(share, others.get(other) ?? 0));
      }
    }
  }
  return withSynonymsOfForms(related);
}

/** Another form of a word has the word's synonyms: a question about what was chosen may be answered by what selects. */
function withSynonymsOfForms(related: Map<string, Map<string, number>>): Map<string, Map<string, number>> {
  return new Map(
    [...related].map(([one, others]) => {
      const all = new Map(others);
      for (const [form, share] of others) {
        if (share !== formShare) continue;
        for (const other of related.get(form)!.keys())
          if (other !== one && !all.has(other)) all.set(other, synonymShare);
      }
      return [one, all];
    }),
  );
}
