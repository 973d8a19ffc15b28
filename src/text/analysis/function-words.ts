import { stem } from "./stem.ts";

/**
 * Pronouns that English questions have and code seldom, and function words of other languages that questions are asked
 * in. A workspace that has them in its texts is searched for them like for any other word; in one that has not, they
 * say nothing about what is missing.
 */
const functionWords = `
somebody someone anybody anyone everybody everyone nobody something anything everything nothing somewhere anywhere elsewhere
itself himself herself themselves myself yourself ourselves whatever whichever whoever whenever wherever meanwhile otherwise
como cómo que qué cual cuál cuales cuáles donde dónde cuando cuándo por para porque se si un una unos unas el la los las lo del al de y o u en con sin
sobre es son está están ser fue hay su sus este esta estos estas eso esto esa ese no más muy ya entre hace hacen
qual quais onde quando porquê são ser foi há seu sua isto isso este no na nos nas num numa ao à dos das os as um uma e ou com sem não é
comment pourquoi quand où quel quelle quels quelles est-ce est sont être qui que quoi le les des du au aux et ou dans avec sans sur ce cet cette ces il elle
ils on ne pas plus par pour un une son sa ses leur
wie was wer wo wann warum wieso weshalb welche welcher welches wird werden wurde ist sind war der die das den dem des ein eine einen einem einer eines und oder
ob mit ohne von zu zum zur im in am auf aus bei nach nicht kein keine wenn dass sich man es er sie hier
perché perche dove quale quali chi cosa che come gli il lo un uno una di del della dei delle nel nella con senza su per è sono essere viene vengono
hoe waarom waar wanneer welke wat wie het een en of van voor met zonder niet wordt worden is zijn als dat die deze dit
как почему где когда что какой какая какие кто это и в на с не из для по
`;

let stems: Set<string> | undefined;

export function isFunctionWord(term: string): boolean {
  stems ??= new Set(functionWords.trim().split(/\s+/).map(stem));
  return stems.has(term);
}
