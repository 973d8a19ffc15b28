import { DossierError } from "../../../../errors.ts";
import type { DatabaseAddress } from "../address.ts";

/** Share of a process's connections that one owner may hold at a time: the others are for everybody else. */
const ownerShare = 0.5;

/** Releases the place. */
type Leave = () => void;

/** Number of connections of each owner; shared by all sessions of a pool. */
export type OwnerLimits = {
  /** Waits for a place, first come first served, no longer than for a connection. */
  enter(owner: string): Promise<Leave>;
};

type Owner = { inside: number; waiting: (() => void)[] };

export function ownerLimits({ pool, connectTimeout, shown }: Limited): OwnerLimits {
  const most = Math.ceil(pool * ownerShare);
  const owners = new Map<string, Owner>();
  const leave = (name: string, owner: Owner) => {
    const next = owner.waiting.shift();
    if (next) next();
    else if (--owner.inside === 0) owners.delete(name);
  };
  return {
    async enter(name) {
      let owner = owners.get(name);
      if (!owner) owners.set(name, (owner = { inside: 0, waiting: [] }));
      const { waiting } = owner;
      if (owner.inside < most) owner.inside++;
      else {
        await new Promise<void>((resolve, reject) => {
          const admit = () => {
            clearTimeout(timer);
            resolve();
          };
          const timer = setTimeout(() => {
            waiting.splice(waiting.indexOf(admit), 1);
            const message = `The database ${shown} is asked too much for one owner: all ${most} connections it may hold are in use.`;
            reject(new DossierError("database-busy", message));
          }, connectTimeout);
          waiting.push(admit);
        });
      }
      let released = false;
      return () => {
        if (!released) leave(name, owner);
        released = true;
      };
    },
  };
}

type Limited = Pick<DatabaseAddress, "pool" | "connectTimeout" | "shown">;
