import { DossierError } from "../errors.ts";

/** Methods of the record and library stores that change something, by their prefix. */
const changing = /^(?:write|change|remove|restore|purge|put|move|delete|create|add|record|undo|touch)(?![a-z])/;

/** A store that can be read and refuses every change, with the reason. */
export function readOnly<Store extends object>(store: Store, why: string): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== "function" || typeof name !== "string" || !changing.test(name)) return value;
      // The time of last access may be lost.
      if (name.startsWith("touch")) return async () => undefined;
      return async () => {
        throw new DossierError("not-readable", why);
      };
    },
  });
}
