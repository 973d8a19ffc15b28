/** What an owner was given in answers, by the names of bundles. Kept with the index: losing it costs a repetition, nothing else. */
export type BundleStore = {
  /** What the bundle holds; unknown ones and those of other owners are absent. */
  get(owner: string, name: string): Promise<Uint8Array | undefined>;
  /** Keeps a bundle, as the newest of its owner; the oldest beyond `keep` are forgotten. */
  put(owner: string, name: string, given: Uint8Array, keep: number): Promise<void>;
};
