import { folder } from "../../../tests/workspace.ts";
import { call } from "../core/call.ts";
import { edit } from "./edit.ts";
import { forget } from "./forget.ts";
import { memories } from "./memories.ts";
import { remember } from "./remember.ts";
import { restore } from "./restore.ts";

/** A key in GitHub's format that belongs to no account. */
export const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

/** The operations on memories, on one real folder, for one owner. */
export function desk(path = folder({ "src/login.ts": "export function login() {}\n" }), owner?: string) {
  const at = { owner };
  const remembered = async (content: string, more: object = {}) =>
    (await call(remember, { content, path, ...more }, at)).output;
  return {
    path,
    remember: remembered,
    /** The id of the memory that was added. */
    addMemory: async (content: string, more: object = {}) => (await remembered(content, more)).memory!.id,
    memories: async (more: object = {}) => (await call(memories, { path, ...more }, at)).output,
    edit: async (id: string, more: object) => (await call(edit, { id, path, ...more }, at)).output,
    forget: async (ids: string[], more: object = {}) => (await call(forget, { ids, path, ...more }, at)).output,
    restore: async (ids: string[]) => (await call(restore, { ids, path }, at)).output,
  };
}

export const contents = (page: { memories: { content: string }[] }) => page.memories.map((memory) => memory.content);
