/**
 * API keys of the HTTP service. The secret is shown once and never stored: only its hash is. Keys live in `memory.db`,
 * because they cannot be made again.
 */
export type KeyStore = {
  /** `secret`: what a client sends: `dsr_` and 256 random bits. It cannot be retrieved later. */
  create(key: NewKey): Promise<{ secret: string; info: KeyInfo }>;
  /** The key of a secret, whatever its state; absent for an unknown one. Compared in constant time. */
  find(secret: string): Promise<KeyInfo | undefined>;
  /** Newest first; of one owner, or of all. */
  list(owner?: string): Promise<KeyInfo[]>;
  /**
   * Revokes by id or unique name. False when there is none or it is revoked already. Throws `conflict` when several
   * active keys have the name. Every process refuses it from then on.
   */
  revoke(idOrName: string, at: number): Promise<boolean>;
  /** Records its use, at most once a minute. */
  touch(id: string, at: number): Promise<void>;
  close(): Promise<void>;
};

export const scopes = ["read", "write", "admin"] as const;
/**
 * `read` asks, `write` also changes its owner's data, `admin` also manages keys and the index. Each includes those
 * before it.
 */
export type KeyScope = (typeof scopes)[number];

export type NewKey = {
  name: string;
  owner: string;
  scope: KeyScope;
  at: number;
  /** When it expires. */
  expires?: number;
};
export type KeyInfo = NewKey & {
  /** `key-` and 64 random bits in base 36. */
  id: string;
  /** First characters of the secret, to tell keys apart. */
  hint: string;
  used?: number;
  revoked?: number;
};

/** Only an active key is accepted. */
export type KeyState = "active" | "expired" | "revoked";

export function keyState({ revoked, expires }: KeyInfo, now: number): KeyState {
  if (revoked !== undefined) return "revoked";
  return expires !== undefined && expires <= now ? "expired" : "active";
}
