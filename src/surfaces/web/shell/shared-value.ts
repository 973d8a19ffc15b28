import { useEffect, useState } from "preact/hooks";

/** A value that several components show. */
export type SharedValue<Value> = {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
};

export function createSharedValue<Value>(initial: Value): SharedValue<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useSharedValue<Value>(store: SharedValue<Value>): Value {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const show = () => setValue(() => store.get());
    // It may have changed between the first drawing and now.
    show();
    return store.subscribe(show);
  }, [store]);
  return value;
}
