import { useEffect, useState } from "preact/hooks";
import { keep, recall } from "../shell/storage.ts";

const mostRecent = 12;
/** A question that stood this long was meant; those on the way to it were not. */
const settled = 2500;

/** In the browser's own storage; where it has none, for as long as the page is open. */
let inMemory: string[] | undefined;

function recentQuestions(): string[] {
  if (inMemory) return inMemory;
  try {
    const stored: unknown = JSON.parse(recall("recent") ?? "[]");
    inMemory = Array.isArray(stored) ? stored.filter((each) => typeof each === "string").slice(0, mostRecent) : [];
  } catch {
    // Somebody else wrote it, or half of it.
    inMemory = [];
  }
  return inMemory;
}

function write(questions: string[]): void {
  inMemory = questions;
  keep("recent", questions.length > 0 ? JSON.stringify(questions) : undefined);
}

/** Remembers a question that was answered and stayed. */
export function useRemembered(query: string, isAnswered: boolean): void {
  useEffect(() => {
    const text = query.trim();
    if (!isAnswered || text === "" || text.length > 500) return;
    const timer = setTimeout(() => {
      const others = recentQuestions().filter((each) => each !== text);
      write([text, ...others].slice(0, mostRecent));
    }, settled);
    return () => clearTimeout(timer);
  }, [query, isAnswered]);
}

export function useRecent(): { questions: string[]; forgetAll: () => void } {
  const [questions, setQuestions] = useState(recentQuestions);
  return {
    questions,
    forgetAll() {
      write([]);
      setQuestions([]);
    },
  };
}
