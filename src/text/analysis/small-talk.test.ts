import { describe, expect, it } from "vitest";
import { isSmallTalk } from "./small-talk.ts";

describe("small talk", () => {
  it.each([
    ...[
      "ok",
      "OK!",
      "thanks",
      "Good morning",
      "good morning, how are you?",
      "yes do that",
      "Yes, please go on.",
      "continue",
    ],
    ...["👍", "...", "", "sounds good, thank you very much", "no, that is fine", "hmm", "lol", "Got it. Let's do it!"],
    ...[
      "guten Morgen",
      "Danke schön!",
      "ja, mach weiter",
      "merci beaucoup",
      "d'accord",
      "buenos días",
      "grazie mille",
      "obrigado",
    ],
    ...[
      "спасибо",
      "Доброе утро!",
      "谢谢",
      "好的，谢谢你",
      "おはようございます",
      "はい、お願いします",
      "감사합니다",
      "شكرا جزيلا",
      "नमस्ते",
      "tack så mycket",
    ],
  ])("is %j", (text) => {
    expect(isSmallTalk(text)).toBe(true);
  });

  it.each([
    ...[
      "login",
      "ok, where is the budget enforced?",
      "thanks, now the parser",
      "good morning report",
      "continue with the tokenizer",
    ],
    ...[
      "why does the retry fail",
      "tag",
      "db",
      "支付重试逻辑",
      "как работает оплата",
      "إعادة الدفع",
      "die Anmeldung",
      "test",
      "build",
    ],
    "ok ".repeat(100),
  ])("is not %j", (text) => {
    expect(isSmallTalk(text)).toBe(false);
  });

  it("is what is said to be so where it is said", () => {
    expect(isSmallTalk("please commit and push", new Set(["commit", "push"]))).toBe(true);
    expect(isSmallTalk("please commit and push")).toBe(false);
  });

  it("takes no longer for a text that nearly is", () => {
    expect(isSmallTalk(`${"好的".repeat(90)}x`)).toBe(false);
    expect(isSmallTalk(`${"不是".repeat(99)}x`)).toBe(false);
  });
});
