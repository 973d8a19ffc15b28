/** What an owner has received in answers, by bundle name. Stored with the index: losing it only costs repetition. */
export type BundleStore = {
  /** The content of a bundle; absent for unknown names and those of other owners. */
  get(owner: string, name: string): Promise<Uint8Array | undefined>;
  /** Stores a bundle as the newest of its owner; the oldest beyond `keep` are removed. */
  put(owner: string, name: string, given: Uint8Array, keep: number): Promise<void>;
};
