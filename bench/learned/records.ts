import {
  axes,
  domains,
  type Experience,
  experienceStrategies,
  type OutcomeStatus,
  outcomes,
  rootCauses,
} from "../../src/learned/experience.ts";
import { categories, type Memory } from "../../src/learned/memory.ts";
import type { Value } from "../../src/learned/value.ts";
import type { RecordWrite } from "../../src/stores/records.ts";
import { hashText } from "../../src/text/hash.ts";
import { type Random, random } from "../shared/random.ts";
import { lastCommit, type Names } from "./history.ts";
import { sentence, sentences, type Topic, topics } from "./texts.ts";

export type RecordSize = { memories: number; experiences: number; values: number };

/** Of the records, those that name something of the code; and of these, those that name what is gone. */
const mentioning = 0.25;
const goneAmongMentions = 0.3;
const day = 24 * 3600 * 1000;

/** Memories, experiences and values of four years, oldest first. */
export function* learnedRecords(size: RecordSize, names: Names, seed: number): Generator<RecordWrite> {
  const chance = random(seed + 1);
  const all = topics(seed);
  const start = lastCommit * 1000 - 4 * 365 * day;
  const at = (number: number, count: number) => start + Math.floor((number * 4 * 365 * day) / count);
  for (let i = 0; i < size.memories; i++) {
    yield record("memory", i, at(i, size.memories), memory(chance.common(all), names, chance));
  }
  const members: string[] = [];
  for (let i = 0; i < size.experiences; i++) {
    const time = at(i, size.experiences);
    const one = record("experience", i, time, experience(chance.common(all), names, time, chance));
    if (i % 20 === 0) members.push(one.id);
    yield one;
  }
  for (let i = 0; i < size.values; i++) {
    const body: Value = {
      text: `In ${domains[i % domains.length]}: ${sentences(1, chance.common(all), chance)}`,
      axis: axes[i % axes.length]!,
      members: Array.from({ length: 12 }, (_, k) => members[(i * 12 + k) % members.length]!),
      distance: 0.2 + chance.next() * 0.1,
      threshold: 0.35,
      validatedAt: at(i, size.values),
      state: i % 10 === 9 ? "moved" : "valid",
    };
    yield record("value", i, at(i, size.values), body);
  }
}

const prefixes = { memory: "mem", experience: "exp", value: "val" };

function record(type: keyof typeof prefixes, number: number, time: number, body: unknown): RecordWrite {
  return { id: `${prefixes[type]}-${hashText(`${type} ${number}`)}`, type, created: time, changed: time, body };
}

function memory(topic: Topic, names: Names, chance: Random): Memory {
  const mentioned = mention(names, chance);
  return {
    content: `${sentences(chance.between(1, 3), topic, chance)}${mentioned.text}`,
    category: chance.pick(categories),
    importance: Math.round(chance.next() * 100) / 100,
    tags: [topic.area, chance.common(topic.nouns)].slice(0, chance.between(0, 2)),
    ...mentioned.anchors,
  };
}

function experience(topic: Topic, names: Names, time: number, chance: Random): Experience {
  const status = chance.pick(outcomes);
  const mentioned = mention(names, chance);
  const attempt = () => ({
    hypothesis: sentence(topic, chance),
    action: `${sentence(topic, chance)}.`,
    prediction: sentence(topic, chance),
    strategy: chance.pick(experienceStrategies),
  });
  const history = Array.from({ length: Math.max(0, chance.between(-3, 3)) }, (_, i) => {
    return { ...attempt(), until: time + i * 60_000, observed: sentence(topic, chance) };
  });
  const last = attempt();
  return {
    ...last,
    hypothesis: `${last.hypothesis}.${mentioned.text}`,
    session: `session-${chance.between(1, 200)}`,
    domain: chance.pick(domains),
    goal: sentence(topic, chance),
    history,
    iterations: history.length + 1,
    ...ending(status, topic, time, chance),
    notes: chance.chance(0.2) ? [{ at: time, text: sentence(topic, chance) }] : [],
    ...mentioned.anchors,
  };
}

function ending(status: OutcomeStatus, topic: Topic, time: number, chance: Random): Partial<Experience> {
  const autoCaptured = status !== "abandoned" && chance.chance(0.4);
  const tier =
    status === "abandoned" ? "abandoned" : autoCaptured ? "gold" : chance.pick(["silver", "bronze"] as const);
  return {
    outcome: {
      status,
      capturedAt: time + 3_600_000,
      autoCaptured,
      ...(tier === "bronze" ? {} : { result: sentence(topic, chance) }),
      ...(autoCaptured ? { command: "npm test" } : {}),
    },
    tier,
    ...(status === "falsified" && {
      surprise: sentences(chance.between(1, 2), topic, chance),
      rootCause: { category: chance.pick(rootCauses), description: sentences(chance.between(1, 2), topic, chance) },
    }),
    ...(status === "confirmed" && {
      lesson: { whatWorked: sentence(topic, chance), takeaway: sentence(topic, chance) },
    }),
  };
}

/** A sentence that names a file or a symbol, and where that was when it was written down. */
function mention(names: Names, chance: Random): { text: string; anchors: Pick<Memory, "anchors"> } {
  if (!chance.chance(mentioning)) return { text: "", anchors: {} };
  const gone = chance.chance(goneAmongMentions);
  const isPath = chance.chance(0.5);
  const name = chance.pick(
    gone ? (isPath ? names.gonePaths : names.goneSymbols) : isPath ? names.paths : names.symbols,
  );
  const anchors = isPath ? { anchors: [{ name, path: name, hash: hashText(name) }] } : {};
  return { text: ` See \`${name}\`.`, anchors };
}
