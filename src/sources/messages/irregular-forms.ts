import { stem } from "../../text/analysis/stem.ts";
import { hashTerm } from "../../text/hash.ts";

/**
 * Irregular forms that no stemmer reduces. A question says "did she buy", the answer "bought": an irregular form also
 * counts as its base word. Words with another meaning ("left", "saw", "felt") are included: people tell what they did.
 */
const forms = `
go went gone; buy bought; bring brought; think thought; teach taught; catch caught; fight fought; seek sought; make made; take took taken;
give gave given; get got gotten; see saw seen; come came; become became; run ran; begin began begun; swim swam swum; sing sang sung;
drink drank drunk; write wrote written; drive drove driven; ride rode ridden; rise rose risen; speak spoke spoken; break broke broken;
choose chose chosen; steal stole stolen; freeze froze frozen; eat ate eaten; fall fell fallen; feel felt; keep kept; sleep slept; meet met;
leave left; lose lost; send sent; spend spent; build built; lend lent; tell told; sell sold; say said; pay paid; hear heard; hold held;
stand stood; understand understood; win won; find found; know knew known; grow grew grown; throw threw thrown; fly flew flown;
draw drew drawn; show shown; wear wore worn; tear tore torn; swear swore sworn; forget forgot forgotten; hide hid hidden; bite bit bitten;
lead led; feed fed; shoot shot; sit sat; dig dug; hang hung; stick stuck; strike struck; light lit; shine shone; mean meant; deal dealt;
dream dreamt; learn learnt; burn burnt; child children; man men; woman women; person people; foot feet; tooth teeth; mouse mice; wife wives;
life lives; knife knives
`;

/** Hash of the base word, by the hash of a form. Read when first needed: only messages are compared this way. */
let words: Map<number, number> | undefined;

function readForms(): Map<number, number> {
  const bases = new Map<number, number>();
  for (const group of forms.trim().split(/;\s*/)) {
    const [word, ...others] = group.split(/\s+/);
    for (const form of others) bases.set(hashTerm(stem(form)), hashTerm(stem(word!)));
  }
  return bases;
}

/** The same terms, with the base word of every irregular form added. */
export function withWords(hashes: readonly number[]): number[] {
  words ??= readForms();
  const all: number[] = [];
  for (let i = 0; i < hashes.length; i++) {
    all.push(hashes[i]!);
    const word = words.get(hashes[i]!);
    if (word !== undefined) all.push(word);
  }
  return all;
}
