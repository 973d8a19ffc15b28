import type { DocumentInfo, DocumentQuery, NewMessage, NewThread, ThreadInfo } from "../library.ts";

type Document = {
  id: string;
  path: string;
  content: string;
  type?: string;
  version: number;
  created: number;
  changed: number;
  accessed?: number;
  deleted?: number;
  purged?: boolean;
  revision: number;
};
type Message = { thread: Thread; number: number; text: string; given?: string; at: number; revision: number };
type Reference = { key: string; priority: number; added: number; place: number; order: number };
type Thread = {
  id: string;
  title: string;
  parent?: Thread;
  /** All shared messages, as they were when it branched off. */
  shared: Message[];
  own: Message[];
  references: Reference[];
  created: number;
  changed: number;
  deleted?: number;
  purged?: boolean;
};
type Event = { id: string; item: string; at: number };

export class Refused extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/**
 * The library of one owner without indexes, the reference model for the engines. A branch has its shared messages in a
 * list of its own, so nothing is computed from parents. Ids are the engine's.
 */
export class NaiveLibrary {
  revision = 0;
  usageRevision = 0;
  readonly documents: Document[] = [];
  readonly threads: Thread[] = [];
  readonly events: Event[] = [];
  #order = 0;

  put(put: { path: string; content: string; type?: string; at: number }, id: string): DocumentInfo {
    const existing = this.#at(put.path);
    const type = put.type ?? existing?.type;
    if (existing && existing.content === put.content && existing.type === type) return infoOf(existing);
    const changes = {
      content: put.content,
      changed: put.at,
      revision: ++this.revision,
      ...(type !== undefined && { type }),
    };
    if (existing) return infoOf(Object.assign(existing, changes, { version: existing.version + 1 }));
    const document = { id, path: put.path, version: 1, created: put.at, ...changes };
    this.documents.push(document);
    return infoOf(document);
  }

  move(id: string, path: string, at: number): DocumentInfo {
    const document = this.#living(id);
    if (!document) throw new Refused("not-found");
    if (document.path === path) return infoOf(document);
    if (this.#at(path)) throw new Refused("conflict");
    return infoOf(Object.assign(document, { path, changed: at, revision: ++this.revision }));
  }

  removeDocument(id: string, at: number): boolean {
    const document = this.#living(id);
    if (document) Object.assign(document, { deleted: at, revision: ++this.revision });
    return document !== undefined;
  }

  restoreDocument(id: string): boolean {
    const document = this.documents.find((each) => each.id === id && each.deleted !== undefined && !each.purged);
    if (!document) return false;
    if (this.#at(document.path)) throw new Refused("conflict");
    delete document.deleted;
    document.revision = ++this.revision;
    return true;
  }

  purgeDocument(id: string): boolean {
    const document = this.documents.find((each) => each.id === id && !each.purged);
    if (!document) return false;
    const deleted = document.deleted ?? document.changed;
    Object.assign(document, { purged: true, deleted, path: "", content: "", revision: ++this.revision });
    delete document.type;
    delete document.accessed;
    return true;
  }

  touch(ids: string[], at: number): void {
    for (const id of ids) {
      const document = this.#living(id);
      if (document) document.accessed = Math.max(document.accessed ?? 0, at);
    }
  }

  list({ under, order = "path", opened, deleted = false }: DocumentQuery): DocumentInfo[] {
    return this.documents
      .filter((each) => !each.purged && (each.deleted !== undefined) === deleted)
      .filter((each) => under === undefined || each.path.startsWith(`${under}/`))
      .filter((each) => !opened || each.accessed !== undefined)
      .sort(
        (a, b) =>
          (order === "path" ? compare(a.path, b.path) : (b[order] ?? -1) - (a[order] ?? -1)) || compare(a.id, b.id),
      )
      .map(infoOf);
  }

  create({ title, parent: parentId, branchedAt, at }: NewThread, id: string, place?: number): ThreadInfo {
    const parent = parentId === undefined ? undefined : this.#thread(parentId);
    let shared = parent ? [...parent.shared, ...parent.own] : [];
    if (branchedAt !== undefined) {
      const last = shared.find((message) => message.number === place && !message.thread.deleted);
      if (!last) throw new Refused("not-found");
      shared = shared.filter((message) => message.number <= last.number);
    }
    this.revision++;
    const thread = { id, title, parent, shared, own: [], references: [], created: at, changed: at };
    this.threads.push(thread);
    return threadInfo(thread);
  }

  rename(id: string, title: string, at: number): ThreadInfo {
    const thread = this.#thread(id);
    this.revision++;
    return threadInfo(Object.assign(thread, { title, changed: Math.max(thread.changed, at) }));
  }

  removeThread(id: string, at: number): boolean {
    const thread = this.threads.find((each) => each.id === id && each.deleted === undefined);
    if (!thread) return false;
    thread.deleted = at;
    this.#renew(thread);
    return true;
  }

  restoreThread(id: string): boolean {
    const thread = this.threads.find((each) => each.id === id && each.deleted !== undefined && !each.purged);
    if (!thread) return false;
    delete thread.deleted;
    this.#renew(thread);
    return true;
  }

  purgeThread(id: string): boolean {
    const thread = this.threads.find((each) => each.id === id && !each.purged);
    if (!thread) return false;
    Object.assign(thread, { purged: true, deleted: thread.deleted ?? thread.changed, references: [] });
    this.#renew(thread);
    return true;
  }

  add(id: string, messages: NewMessage[]): number[] {
    const thread = this.#thread(id);
    const written = new Set<Message>();
    const before = new Map(thread.own.map((message) => [message, JSON.stringify([message.text, message.at])]));
    const numbers = messages.map(({ id: given, blocks, at }) => {
      const text = (blocks[0] as { text: string }).text;
      let message = thread.own.find((each) => given !== undefined && each.given === given);
      if (message) Object.assign(message, { text, at });
      else {
        message = { thread, number: thread.shared.length + thread.own.length + 1, text, given, at, revision: 0 };
        thread.own.push(message);
      }
      written.add(message);
      return message.number;
    });
    for (const message of written) {
      if (before.get(message) === JSON.stringify([message.text, message.at])) continue;
      message.revision = ++this.revision;
      thread.changed = Math.max(thread.changed, message.at);
    }
    return numbers;
  }

  messages(thread: Thread): Message[] {
    if (thread.deleted !== undefined) return [];
    return [...thread.shared, ...thread.own].filter((message) => message.thread.deleted === undefined);
  }

  refer(id: string, key: string, priority: number, at: number): void {
    const thread = this.#thread(id);
    this.revision++;
    const existing = thread.references.find((each) => each.key === key);
    const place = thread.shared.length + thread.own.length;
    if (existing) existing.priority = priority;
    else thread.references.push({ key, priority, added: at, place, order: this.#order++ });
  }

  dismiss(id: string, key: string): boolean {
    const thread = this.threads.find((each) => each.id === id && each.deleted === undefined);
    const at = thread?.references.findIndex((each) => each.key === key) ?? -1;
    if (at < 0) return false;
    thread!.references.splice(at, 1);
    this.revision++;
    return true;
  }

  /** Key, priority and whether it is inherited; without an order among those of one priority and time. */
  references(thread: Thread): string[] {
    if (thread.deleted !== undefined) return [];
    const byKey = new Map<string, Reference & { inherited: boolean }>();
    let shared = Number.POSITIVE_INFINITY;
    for (let each: Thread | undefined = thread; each; each = each.parent) {
      for (const reference of each.deleted === undefined ? each.references : []) {
        if (reference.place > shared || byKey.has(reference.key)) continue;
        byKey.set(reference.key, { ...reference, inherited: each !== thread });
      }
      shared = Math.min(shared, each.shared.length);
    }
    return [...byKey.values()].map(({ key, priority, inherited }) => `${key} ${priority} ${inherited}`).sort();
  }

  #at(path: string): Document | undefined {
    return this.documents.find((each) => each.path === path && each.deleted === undefined);
  }

  #living(id: string): Document | undefined {
    return this.documents.find((each) => each.id === id && each.deleted === undefined);
  }

  #thread(id: string): Thread {
    const thread = this.threads.find((each) => each.id === id && each.deleted === undefined);
    if (!thread) throw new Refused("not-found");
    return thread;
  }

  #renew(thread: Thread): void {
    for (const message of thread.own) message.revision = ++this.revision;
    this.revision++;
  }
}

const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function infoOf({ content, purged, revision, ...info }: Document): DocumentInfo {
  return { ...info, size: Buffer.byteLength(content), hash: "" };
}

export function threadInfo({ id, title, parent, shared, own, created, changed, deleted }: Thread): ThreadInfo {
  const messages = shared.length + own.length;
  const more = { ...(parent && { parent: parent.id }), ...(deleted !== undefined && { deleted }) };
  return { id, title, created, changed, messages, ...more };
}
