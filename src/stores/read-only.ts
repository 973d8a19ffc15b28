import { DossierError } from "../errors.ts";

/** What changes something, by how the methods of the stores of records and of the library begin. */
const changing = /^(?:write|change|remove|restore|purge|put|move|delete|create|add|record|undo|touch)(?![a-z])/;

/** A store that is read and refuses to be changed, with the sentence that says why. */
export function readOnly<Store extends object>(store: Store, why: string): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== "function" || typeof name !== "string" || !changing.test(name)) return value;
      // When something was last looked at is no loss.
      if (name.startsWith("touch")) return async () => undefined;
      return async () => {
        throw new DossierError("not-readable", why);
      };
    },
  });
}
