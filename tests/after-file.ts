const cleanups: (() => unknown)[] = [];

/**
 * Has something cleaned up when the test file ends that is running now. For modules that several files share: a hook
 * that such a module registers while it is loaded is the first file's only, since the files of a process load it once.
 */
export function afterFile(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** The last first. */
export async function endFile(): Promise<void> {
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
}
