import type { LibraryStore } from "../../library.ts";
import { livingDocument } from "../../rules/document-rows.ts";
import { livingThread } from "../../rules/thread-rows.ts";
import type { PostgresSession } from "../engine/session/session.ts";
import { cleanUp, ownerWrites, readRevision, recordOwner } from "../records/owner-rows.ts";
import * as documents from "./documents.ts";
import * as documentWrites from "./documents-write.ts";
import * as messages from "./messages.ts";
import * as references from "./references.ts";
import * as threads from "./threads.ts";
import * as usage from "./usage.ts";

/** The library over a session, which it closes. */
export function postgresLibrary(session: PostgresSession): LibraryStore {
  const of = (owner: string) => session.of(recordOwner(owner));
  const { write, change } = ownerWrites(session);
  const nothing = () => false;
  const noDocument = (id: string) => () => livingDocument<never>(undefined, id);
  const noThread = (id: string) => () => livingThread<never>(undefined, id);
  const asList = (ids: string | readonly string[]) => (typeof ids === "string" ? [ids] : ids);

  return {
    revision: (owner) => readRevision(session, owner, "library"),

    putDocument: (owner, put) =>
      write(owner, (queries, revisions) => documentWrites.putDocument(queries, revisions, put), {
        idempotent: put.ifHash === undefined,
      }),
    document: (owner, idOrPath, options) => documents.readDocument(of(owner), idOrPath, options?.deleted ?? false),
    documentInfos: (owner, ids) => documents.documentInfos(of(owner), ids),
    contents: (owner, ids) => documents.readContents(of(owner), ids),
    documents: (owner, query) => documents.listDocuments(of(owner), query),
    moveDocument: (owner, id, path, at) =>
      change(owner, noDocument(id), (queries, revisions) =>
        documentWrites.moveDocument(queries, revisions, id, path, at),
      ),
    removeDocument: (owner, id, at) =>
      change(owner, nothing, (queries, revisions) => documentWrites.removeDocument(queries, revisions, id, at)),
    restoreDocument: (owner, id) =>
      change(owner, nothing, (queries, revisions) => documentWrites.restoreDocument(queries, revisions, id)),
    async purgeDocument(owner, ids) {
      const purged = await change(owner, nothing, (queries, revisions) =>
        documentWrites.purgeDocuments(queries, revisions, asList(ids)),
      );
      if (purged) await cleanUp(session, owner, ["documents", "contents"]);
      return purged;
    },
    async touchDocuments(owner, ids, at) {
      if (ids.length === 0) return;
      await change(
        owner,
        () => undefined,
        (queries) => documentWrites.touchDocuments(queries, ids, at),
      );
    },
    documentsSince: (owner, revision, limit, options) => documents.documentsSince(of(owner), revision, limit, options),

    createThread: (owner, thread) =>
      thread.parent === undefined
        ? write(owner, (queries, revisions) => threads.createThread(queries, revisions, thread))
        : change(owner, noThread(thread.parent), (queries, revisions) =>
            threads.createThread(queries, revisions, thread),
          ),
    changeThread: (owner, id, values) =>
      change(owner, noThread(id), (queries, revisions) => threads.changeThread(queries, revisions, id, values)),
    thread: (owner, id, options) => threads.readThread(of(owner), id, options?.deleted ?? false),
    threads: (owner, query) => threads.listThreads(of(owner), query),
    removeThread: (owner, id, at) =>
      change(owner, nothing, (queries, revisions) => threads.removeThread(queries, revisions, id, at)),
    restoreThread: (owner, id) =>
      change(owner, nothing, (queries, revisions) => threads.restoreThread(queries, revisions, id)),
    async purgeThread(owner, ids) {
      const purged = await change(owner, nothing, (queries, revisions) =>
        threads.purgeThreads(queries, revisions, asList(ids)),
      );
      if (purged) await cleanUp(session, owner, ["threads", "messages", "thread_references"]);
      return purged;
    },
    addMessages: (owner, thread, added) =>
      change(owner, noThread(thread), (queries, revisions) => messages.addMessages(queries, revisions, thread, added)),
    messages: (owner, thread, range) => messages.readMessages(of(owner), thread, range),
    messagesById: (owner, ids) => messages.messagesById(of(owner), ids),
    messagesSince: (owner, revision, limit) => messages.messagesSince(of(owner), revision, limit),

    addReference: (owner, thread, reference) =>
      change(owner, noThread(thread), (queries, revisions) =>
        references.addReference(queries, revisions, thread, reference),
      ),
    removeReference: (owner, thread, id) =>
      change(owner, nothing, (queries, revisions) => references.removeReference(queries, revisions, thread, id)),
    references: (owner, thread) => references.readReferences(of(owner), thread),

    usageRevision: (owner) => readRevision(session, owner, "usage"),
    recordUsage: async (owner, events) =>
      events.length === 0 ? [] : write(owner, (queries, revisions) => usage.recordUsage(queries, revisions, events)),
    undoUsage: (owner, ids) =>
      change(
        owner,
        () => 0,
        (queries, revisions) => usage.undoUsage(queries, revisions, ids),
      ),
    usage: (owner, items, limit) => usage.readUsage(of(owner), items, limit),

    counts: async (owner) =>
      (await of(owner).get<Awaited<ReturnType<LibraryStore["counts"]>>>(counts)) ?? {
        documents: 0,
        threads: 0,
        messages: 0,
        usage: 0,
      },
    close: () => session.close(),
  };
}

const counts = `
SELECT (SELECT count(*) FROM documents WHERE owner = $1 AND deleted IS NULL) AS documents,
  (SELECT count(*) FROM threads WHERE owner = $1 AND deleted IS NULL) AS threads,
  (SELECT coalesce(sum(count), 0)::bigint FROM threads WHERE owner = $1 AND deleted IS NULL) AS messages,
  (SELECT count(*) FROM usage WHERE owner = $1) AS usage`;
