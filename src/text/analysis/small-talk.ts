/** Greetings, thanks, agreement: phrases that ask for nothing, separated by commas. */
const phrases = `
hi, hello, hey, hiya, howdy, yo, greetings, welcome, good morning, good afternoon, good evening, good night, good day, morning, evening,
thanks, thank you, thank, thx, ty, cheers, much appreciated, appreciated, no problem, no worries, np, you are welcome,
ok, okay, okey, k, kk, okie, yes, yeah, yep, yup, ya, aye, sure, sure thing, of course, absolutely, definitely, certainly, indeed, exactly,
right, alright, all right, correct, true, agreed, agree, fair enough, fair, understood, got it, gotcha, i see, roger, noted, makes sense,
no, nope, nah, not really, fine, good, great, cool, nice, perfect, awesome, excellent, brilliant, wonderful, amazing, super, neat, sweet,
lovely, well done, good job, nice work, great work, sounds good, sounds great, looks good, looks great, looks right, lgtm, works for me, that works, it works,
go, go on, go ahead, carry on, continue, proceed, keep going, next, more, again, once more, do it, do that, do so, do this, please, pls, plz,
done, ready, stop, wait, hold on, one moment, one second, a moment, never mind, nevermind, forget it, bye, goodbye, good bye, see you, see ya,
later, talk to you later, take care, have a nice day, have a good day, have a good one, sorry, my bad, oops, ouch, wow, whoa, yay, hooray, hurray,
haha, hahaha, lol, hmm, hm, mhm, uh, um, eh, oh, ah, huh, how are you, how are you doing, how do you do, what is up, whats up, sup, test test,
let us go, lets go, let us do it, lets do it, let us continue, lets continue, there, everyone, all, folks, guys,
guten morgen, guten tag, guten abend, gute nacht, hallo, servus, moin, moin moin, gruezi, danke, danke schön, danke dir, vielen dank, dankeschön, bitte,
ja, jep, nein, nö, doch, genau, klar, gut, sehr gut, prima, toll, passt, alles klar, in ordnung, weiter, mach weiter, weiter so, mach das, einverstanden,
verstanden, tschüss, tschüß, bis später, bis bald, auf wiedersehen, ach so,
bonjour, bonsoir, bonne nuit, salut, coucou, merci, merci beaucoup, oui, non, d accord, bien, très bien, parfait, super merci, s il vous plaît, s il te plaît,
au revoir, à bientôt, à plus tard, continue s il te plaît, continuez, vas y, allez y, c est bon, ça marche,
hola, buenos días, buenos dias, buenas tardes, buenas noches, buenas, gracias, muchas gracias, sí, si, vale, de acuerdo, bueno, bien gracias, perfecto, claro,
por favor, adelante, continúa, continua, sigue, hasta luego, hasta pronto, adiós, adios, de nada, listo, entendido,
ciao, buongiorno, buonasera, buonanotte, grazie, grazie mille, prego, va bene, d accordo, certo, perfetto, bene, molto bene, avanti, arrivederci, per favore,
olá, ola, oi, bom dia, boa tarde, boa noite, obrigado, obrigada, muito obrigado, muito obrigada, sim, não, tudo bem, tá bom, certo, perfeito, beleza, tchau,
hoi, goedemorgen, goedemiddag, goedenavond, dank je, dank u, dank je wel, dankjewel, bedankt, nee, prima, ga door, ga verder, graag gedaan, tot ziens, doei, oké,
hej, hei, god morgen, god morgon, god dag, god aften, god kväll, tak, tack, takk, mange tak, tusen takk, tack så mycket, ja tak, nej, nei, fint, bra, fortsæt, fortsätt, fortsett,
dzień dobry, dobry wieczór, cześć, dzięki, dziękuję, tak dziękuję, nie, dobrze, dobra, proszę, do widzenia, merhaba, selam, günaydın, teşekkürler, teşekkür ederim, sağ ol, evet, hayır, tamam, lütfen, devam, devam et,
привет, здравствуйте, здравствуй, доброе утро, добрый день, добрый вечер, спасибо, большое спасибо, спасибо большое, да, нет, хорошо, ок, окей, ладно, отлично, понятно, понял, поняла, продолжай, продолжайте, дальше, пожалуйста, пока, до свидания, конечно, супер, класс,
привіт, дякую, так, ні, добре, будь ласка, مرحبا, السلام عليكم, صباح الخير, مساء الخير, شكرا, شكرًا, شكرا جزيلا, نعم, لا, حسنا, حسنًا, تمام, استمر, من فضلك, مع السلامة,
नमस्ते, धन्यवाद, शुक्रिया, हाँ, नहीं, ठीक है, जारी रखें, שלום, תודה, תודה רבה, כן, לא, בסדר, בבקשה, המשך
`;

/** Words between them that ask for nothing either. */
const between = `
a an and are as at be been but can could did do does for from had has have he her here him his i if in into is it its just let lets me my of on or our ours
she should so than that the their them then these they this those to too up us very was we well were what when where which who why will with would you your yours
also am any bit dont didnt isnt wont both each how im ive id ill now one only same some still thats theres whats yet really quite pretty much
`;

/** For scripts without spaces: a run made up of these pieces is small talk. */
const unspaced = `
你好 您好 大家好 早上好 早安 早 下午好 晚上好 晚安 嗨 谢谢 謝謝 多谢 感谢 谢谢你 非常 你 您 好的 好 好吧 可以 行 是的
是 对的 对 不是 不 没有 没问题 没关系 明白了 明白 知道了 知道 了解 收到 继续 請繼續 繼續 请 下一步 再见 再見 拜拜 嗯
哦 啊 吧 了 太棒了 太好了 很好 不错 おはようございます おはよう こんにちは こんばんは おやすみなさい おやすみ
ありがとうございます ありがとうございました ありがとう どうも はい いいえ うん ううん わかりました 了解です 了解しました
大丈夫です 大丈夫 お願いします 続けてください 続けて さようなら です ね よ 안녕하세요 안녕 감사합니다 고마워요 고마워
고맙습니다 네 예 아니요 아니 좋아요 좋아 알겠습니다 알겠어요 알겠어 계속해주세요 계속해 계속 부탁합니다 잘자
`;

/** Longer texts have some content. */
const longest = 200;
const mostWordsOfPhrase = 4;

let phraseSet: Set<string> | undefined;
let pieces: readonly string[] | undefined;

/**
 * Whether a message is only greeting, thanks and agreement ("ok", "good morning", "yes, do that"), so that there is
 * nothing to look for. `also`: further words that ask for nothing in this context.
 */
export function isSmallTalk(text: string, also: ReadonlySet<string> = none): boolean {
  if (text.length > longest) return false;
  phraseSet ??= new Set([...phrases.split(",").map((phrase) => phrase.trim()), ...between.trim().split(/\s+/)]);
  const words = wordsOf(text);
  for (let at = 0; at < words.length; ) {
    const length = phraseAt(words, at, phraseSet, also);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

const none: ReadonlySet<string> = new Set();

/** "that's" is one word, "d'accord" two. */
function wordsOf(text: string): string[] {
  const joined = text
    .normalize("NFC")
    .toLowerCase()
    .replace(/['’](?=(?:s|t|re|ll|m|ve|d)\b)/g, "");
  return joined.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
}

/** How many words from here on are one phrase. */
function phraseAt(
  words: readonly string[],
  at: number,
  phrases: ReadonlySet<string>,
  also: ReadonlySet<string>,
): number {
  for (let count = Math.min(mostWordsOfPhrase, words.length - at); count > 0; count--) {
    if (phrases.has(words.slice(at, at + count).join(" "))) return count;
  }
  return also.has(words[at]!) || isMadeOf(words[at]!) ? 1 : 0;
}

/**
 * Whether a run without spaces can be split into pieces. Each position is visited once, however many ways lead there.
 */
function isMadeOf(run: string): boolean {
  if (/^[\x00-\x7f]*$/.test(run)) return false;
  pieces ??= unspaced.trim().split(/\s+/);
  const reached = new Set([0]);
  for (const at of reached) {
    for (const piece of pieces) if (run.startsWith(piece, at)) reached.add(at + piece.length);
  }
  return reached.has(run.length);
}
