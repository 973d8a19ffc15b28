/**
 * The browser's storage. It may refuse (private windows, policies, a full disk): then nothing is kept, and everything
 * else works.
 */
type Place = "local" | "session";

export function recall(key: string, place: Place = "local"): string | undefined {
  try {
    return storage(place).getItem(`dossier.${key}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether it was kept. */
export function keep(key: string, value: string | undefined, place: Place = "local"): boolean {
  try {
    if (value === undefined) storage(place).removeItem(`dossier.${key}`);
    else storage(place).setItem(`dossier.${key}`, value);
    return true;
  } catch {
    return false;
  }
}

function storage(place: Place): Storage {
  return place === "local" ? window.localStorage : window.sessionStorage;
}
