import { isSmallTalk } from "../text/analysis/small-talk.ts";

/** Words that people use about the conversation itself. */
const words = new Set(
  `
  so far up last latest recent recently first previous previously prior earlier before above ago just thing things stuff point points
  ask asked asking asks question questions answer answers answered reply replies replied response responses say said saying says tell told telling
  mention mentioned mean meant write wrote written speak spoke talk talked talking discuss discussed discussing discussion chat conversation
  message messages thread turn turns exchange history topic subject
  repeat repeated repeating rephrase reword summarize summarise summarized summarised summary recap remind remember recall explain clarify elaborate
  meine mein deine letzte letzten letztes frage fragen gefragt gesagt sagte antwort nachricht gespräch zusammenfassung wiederhole wiederholen war ich du wir das hast habe haben was
  ma mon dernière dernier question demandé dit réponse message conversation résume résumé répète ai je tu as nous
  mi tu última último pregunta pregunté dijiste dije respuesta mensaje conversación resumen resume repite
  `
    .trim()
    .split(/\s+/),
);

/**
 * Whether a message only asks about what was just said ("what was the last thing I asked?"), which only the turns
 * themselves can answer.
 */
export function isAboutConversation(text: string): boolean {
  return isSmallTalk(text, words);
}
