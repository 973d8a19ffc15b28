import { unreadWarning } from "../errors.ts";

/** Runs a source under a deadline. A failure or a timeout becomes a warning, so that the other sources still count. */
export async function answerInTime<T>(
  name: string,
  milliseconds: number,
  work: () => Promise<T>,
): Promise<{ answer: T } | { warning: string; isUnread?: boolean }> {
  try {
    return { answer: await withTimeout(milliseconds, work()) };
  } catch (error) {
    // Errors of the store are fatal: they affect every source.
    if (isFatal(error)) throw error;
    const unread = unreadWarning(error);
    if (unread !== undefined) return { warning: unread, isUnread: true };
    return { warning: `Source ${name} did not answer: ${(error as Error).message}` };
  }
}

function isFatal(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? "";
  return code.startsWith("store-") || code === "interrupted";
}

async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
