/** What a source answers in time; a warning instead when it fails or is late, so that the others can still be heard. */
export async function answerOf<T>(
  name: string,
  milliseconds: number,
  work: () => Promise<T>,
): Promise<{ answer: T } | { warning: string }> {
  try {
    return { answer: await within(milliseconds, work()) };
  } catch (error) {
    // Damage to the store is not one source's trouble: nothing that follows could be trusted.
    if (isFatal(error)) throw error;
    return { warning: `Source ${name} did not answer: ${(error as Error).message}` };
  }
}

function isFatal(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? "";
  return code.startsWith("store-") || code === "interrupted";
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
