/**
 * Keys of the HTTP service. The secret itself is shown once and never stored: only its hash is. They live in `memory.db`, for they cannot be
 * made again.
 */
export type KeyStore = {
  /** `secret` is what a client sends: `dsr_` and 256 random bits. It cannot be asked for again. */
  create(key: NewKey): Promise<{ secret: string; info: KeyInfo }>;
  /** The key of a secret, whatever its state: absent for an unknown one. Compared in constant time. */
  find(secret: string): Promise<KeyInfo | undefined>;
  /** Newest first; of one owner, or of all. */
  list(owner?: string): Promise<KeyInfo[]>;
  /**
   * By id or unique name; false when there is none or it is revoked already; throws `conflict` when several that are not revoked have the name.
   * It is refused from then on, by every process.
   */
  revoke(idOrName: string, at: number): Promise<boolean>;
  /** Remembers that it was used, at most once a minute. */
  touch(id: string, at: number): Promise<void>;
  close(): Promise<void>;
};

export const scopes = ["read", "write", "admin"] as const;
/** `read` asks, `write` also changes what its owner has, `admin` also manages keys and the index. Each may do what those before it may. */
export type KeyScope = (typeof scopes)[number];

export type NewKey = {
  name: string;
  owner: string;
  scope: KeyScope;
  at: number;
  /** When it ends by itself. */
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

/** Only an active key opens anything. */
export type KeyState = "active" | "expired" | "revoked";

export function keyState({ revoked, expires }: KeyInfo, now: number): KeyState {
  if (revoked !== undefined) return "revoked";
  return expires !== undefined && expires <= now ? "expired" : "active";
}
