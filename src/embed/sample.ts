import { hashTerm } from "../text/hash.ts";

export type SampleLimits = {
  /**
   * Approximate number of items. More items take longer to train and give no better vectors: half of 6000 ranked as
   * well as all.
   */
  items: number;
  /** Bytes of packed terms; the default is two million terms, which only long documents reach. */
  bytes: number;
};

const defaults: SampleLimits = { items: 10_000, bytes: 12_000_000 };

/**
 * The packed terms of the items to train on, chosen and ordered by id, so that the same items in any order give the
 * same sample. `onBatch` receives the number of items read.
 */
export async function sampleItems(
  batches: AsyncIterable<{ id: string; terms: Uint8Array }[]>,
  total: number,
  onBatch?: (done: number) => void,
  limits: SampleLimits = defaults,
): Promise<Uint8Array[]> {
  let sample: { id: string; terms: Uint8Array }[] = [];
  let share = Math.min(1, limits.items / Math.max(1, total));
  let bytes = 0;
  let done = 0;
  for await (const batch of batches) {
    for (const item of batch) {
      if (!isWithin(item.id, share)) continue;
      sample.push(item);
      bytes += item.terms.length;
      // A share that does not fit is dropped whole, so that the order of items does not matter.
      while (bytes > limits.bytes && sample.length > 0) {
        share /= 2;
        sample = sample.filter(({ id }) => isWithin(id, share));
        bytes = sample.reduce((sum, { terms }) => sum + terms.length, 0);
      }
    }
    done += batch.length;
    onBatch?.(done);
  }
  sample.sort((a, b) => (a.id < b.id ? -1 : 1));
  return sample.map((item) => item.terms);
}

function isWithin(id: string, share: number): boolean {
  return hashTerm(id) < share * 2 ** 32;
}
