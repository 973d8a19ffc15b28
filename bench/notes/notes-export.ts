import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { random } from "../shared/random.ts";
import { areas, nouns, parts, verbs } from "../shared/words.ts";

export type GeneratedNotes = { notes: number; edges: number; ids: string[]; topics: string[] };

const day = 24 * 60 * 60 * 1000;
const newest = Date.UTC(2026, 0, 1);
const tags = ["project", "milestone", "task", "person", "meeting", "note", "decision", "goal"] as const;

/**
 * A Tana workspace of about so many notes, in the shape of a real export: projects with milestones, tasks and bullets,
 * people, meetings; about three edges for each note (ownership, inline references, values of fields). The same in every
 * run.
 */
export async function writeNotesExport(path: string, count: number, seed: number): Promise<GeneratedNotes> {
  const chance = random(seed);
  const out = createWriteStream(path);
  const made: GeneratedNotes = { notes: 0, edges: 0, ids: [], topics: [] };
  let docs = 0;
  let first = true;
  const id = () => (docs++).toString(36).padStart(12, "0");
  const write = async (doc: object) => {
    if (!out.write(`${first ? "" : ",\n"}${JSON.stringify(doc)}`)) await once(out, "drain");
    first = false;
  };
  const sentence = (words: number) =>
    Array.from({ length: words }, (_, i) => chance.common(i % 3 === 0 ? verbs : i % 3 === 1 ? areas : nouns)).join(" ");

  out.write('{"formatVersion":1,"currentWorkspaceId":"ws","workspaces":{},"docs":[\n');
  await write({ id: "ws", props: { created: newest, name: "Bench", _docType: "workspace" }, children: [] });
  await write({ id: "ws_SCHEMA", props: { created: newest, name: "Schema", _ownerId: "ws" }, children: [] });
  const tagIds = new Map<string, string>();
  for (const name of tags) {
    const tag = id();
    tagIds.set(name, tag);
    await write({ id: tag, props: { created: newest, name, _docType: "tagDef", _ownerId: "ws_SCHEMA" } });
  }
  const fieldIds = new Map<string, string>();
  for (const name of ["Status", "Owner", "Due"]) {
    const field = id();
    fieldIds.set(name, field);
    await write({ id: field, props: { created: newest, name, _docType: "attrDef", _ownerId: "ws_SCHEMA" } });
  }
  const status = ["active", "done", "blocked", "waiting"];

  type Made = { id: string; tag?: string };
  const people: string[] = [];
  /** What has a name of its own, and is mentioned: people and projects. */
  const named: string[] = [];
  /** A note with its tag and fields. Its children are written after it, so it is told their ids. */
  const note = async (
    { id: key, tag }: Made,
    owner: string,
    name: string,
    children: string[],
    fields: [string, string | { id: string }][] = [],
  ) => {
    const meta = tag ? id() : undefined;
    const tuples: string[] = [];
    const extra: object[] = [];
    if (meta && tag) {
      const tuple = id();
      extra.push({ id: meta, props: { _docType: "metanode", _ownerId: key }, children: [tuple] });
      extra.push({
        id: tuple,
        props: { _docType: "tuple", _ownerId: meta },
        children: ["SYS_A13", tagIds.get(tag)],
      });
    }
    for (const [label, value] of fields) {
      const tuple = id();
      const valueId = typeof value === "string" ? id() : value.id;
      if (typeof value === "string") extra.push({ id: valueId, props: { name: value, _ownerId: tuple } });
      else made.edges++;
      extra.push({ id: tuple, props: { _docType: "tuple", _ownerId: key }, children: [fieldIds.get(label), valueId] });
      tuples.push(tuple);
    }
    const modified = newest - Math.floor(chance.next() ** 2 * 700) * day;
    await write({
      id: key,
      props: { created: modified - 10 * day, name, _ownerId: owner, ...(meta ? { _metaNodeId: meta } : {}) },
      children: [...tuples, ...children],
      modifiedTs: [modified],
      touchCounts: [1],
    });
    for (const doc of extra) await write(doc);
    made.notes++;
    made.edges++;
    if (tag === "person" || tag === "project") named.push(key);
  };
  const mention = (key: string) => {
    made.edges++;
    return `<span data-inlineref-node="${key}"></span>`;
  };

  const peopleCount = Math.max(20, Math.round(count / 200));
  for (let i = 0; i < peopleCount; i++) {
    const key = id();
    people.push(key);
    const name = `${capital(chance.pick(areas))} ${capital(chance.pick(nouns))}son ${i}`;
    await note({ id: key, tag: "person" }, "ws", name, []);
  }
  const projects: string[] = [];
  while (made.notes < count) {
    const project = { id: id(), tag: "project" };
    const name = `${capital(chance.pick(areas))} ${chance.pick(parts)} ${projects.length}`;
    const groups = Array.from({ length: chance.between(3, 7) }, () => ({
      id: id(),
      tag: chance.chance(0.6) ? chance.pick(["milestone", "meeting", "decision", "goal"]) : undefined,
      tasks: Array.from({ length: chance.between(3, 9) }, () => ({
        id: id(),
        tag: chance.chance(0.4) ? "task" : undefined,
        bullets: Array.from({ length: chance.between(0, 4) }, id),
      })),
    }));
    projects.push(project.id);
    made.ids.push(project.id);
    made.topics.push(name);
    const lead = { id: chance.pick(people) };
    await note(
      project,
      "ws",
      name,
      groups.map((group) => group.id),
      [
        ["Status", chance.pick(status)],
        ["Owner", lead],
      ],
    );
    for (const group of groups) {
      const about = chance.chance(0.8) ? ` ${mention(chance.pick(named))}` : "";
      const fields: [string, string | { id: string }][] = group.tag
        ? [
            ["Owner", { id: chance.pick(people) }],
            ["Due", "2026-03-01"],
          ]
        : [];
      await note(
        group,
        project.id,
        `${sentence(4)}${about}`,
        group.tasks.map((task) => task.id),
        fields,
      );
      for (const task of group.tasks) {
        const mentions = Array.from({ length: chance.between(1, 3) }, () =>
          mention(chance.pick(chance.chance(0.4) ? people : named)),
        );
        const owner: [string, string | { id: string }][] = task.tag ? [["Owner", { id: chance.pick(people) }]] : [];
        await note(task, group.id, `${sentence(7)} ${mentions.join(" and ")}`, task.bullets, owner);
        for (const bullet of task.bullets) {
          const words = `${sentence(9)} ${mention(chance.pick(named))}${chance.chance(0.8) ? ` ${mention(chance.pick(people))}` : ""}`;
          await note({ id: bullet }, task.id, words, []);
        }
      }
    }
  }
  out.end("\n]}\n");
  await once(out, "close");
  return made;
}

function capital(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}
