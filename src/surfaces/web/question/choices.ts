import { restate } from "../shell/router.ts";
import { type DocumentItem, useAnswer } from "./answer.ts";

type ItemLevel = DocumentItem["level"];
export const itemLevels: readonly ItemLevel[] = ["full", "elided", "signature", "pointer"];

/** The reader's decisions on single items. They are part of the question, and so of the address. */
export type ItemDecisions = {
  isPinned: (id: string) => boolean;
  isExcluded: (id: string) => boolean;
  levelOf: (id: string) => string | undefined;
  count: number;
};

export function useDecisions(): ItemDecisions {
  const { pin = [], exclude = [], level = [] } = useAnswer().question;
  return {
    isPinned: (id) => pin.includes(id),
    isExcluded: (id) => exclude.includes(id),
    levelOf: (id) => level.find((each) => each.startsWith(`${id}=`))?.slice(id.length + 1),
    count: pin.length + exclude.length + level.length,
  };
}

function change(state: URLSearchParams, key: string, id: string, add: string | undefined): void {
  const others = state.getAll(key).filter((each) => each !== id && !each.startsWith(`${id}=`));
  state.delete(key);
  for (const each of add === undefined ? others : [...others, add]) state.append(key, each);
}

export function togglePin(id: string): void {
  restate((state) => {
    const add = state.getAll("pin").includes(id) ? undefined : id;
    change(state, "exclude", id, undefined);
    change(state, "pin", id, add);
  });
}

export function toggleExclude(id: string): void {
  restate((state) => {
    const add = state.getAll("exclude").includes(id) ? undefined : id;
    for (const key of ["pin", "level"]) change(state, key, id, undefined);
    change(state, "exclude", id, add);
  });
}

/** The same level again takes it back. */
export function toggleLevel(id: string, level: ItemLevel): void {
  restate((state) => {
    const chosen = `${id}=${level}`;
    const add = state.getAll("level").includes(chosen) ? undefined : chosen;
    change(state, "exclude", id, undefined);
    change(state, "level", id, add);
  });
}

export function clearDecisions(): void {
  restate((state) => {
    for (const key of ["pin", "exclude", "level"]) state.delete(key);
  });
}
