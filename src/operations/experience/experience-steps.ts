import { randomUUID } from "node:crypto";
import { DossierError } from "../../errors.ts";
import { axisTexts, linesOf } from "../../learned/axis-texts.ts";
import {
  addNote,
  amend,
  type Beginning,
  begin,
  type InputNameOf,
  type Resolution,
  resolve,
  revise,
} from "../../learned/experience/steps.ts";
import { activeSlot, type Domain, type Experience, isActive, type Strategy } from "../../learned/experience.ts";
import type { Anchor } from "../../learned/memory.ts";
import type { RecordStore, StoredRecord } from "../../stores/records.ts";
import { hashText } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { counted } from "../terminal/phrases.ts";
import { activeExperience, activeExperiences, findExperience } from "./experience-find.ts";
import type { ExperienceInput } from "./experience-input.ts";
import { bodyOf, type ShownExperience, shownExperience } from "./experience-shape.ts";

type Moment = { session: string; now: number; nameOf: InputNameOf };
type Answer = { message: string; experience?: ShownExperience; experiences?: ShownExperience[] };

/** Takes one step of an experience; the input was checked to have what the step needs. */
export async function takeStep(workspace: Workspace, input: ExperienceInput, moment: Moment): Promise<Answer> {
  const { session, now, nameOf } = moment;
  switch (input.step) {
    case "start":
    case "record":
      return add(workspace, input, moment);
    case "active": {
      const active = await activeExperience(workspace, session);
      return active
        ? answer(active, "Found")
        : { message: `Session ${JSON.stringify(session)} has no active experience.` };
    }
    case "list": {
      const open = await activeExperiences(workspace);
      const message = open.length === 0 ? "Nothing is being tried." : `${counted(open.length, "experience")} open.`;
      return { message, experiences: open.map(shownExperience) };
    }
    case "resume":
      return resume(workspace, input, moment);
    case "show":
      return answer(await findExperience(workspace, input.id, session), "Found");
    case "update": {
      const record = await change(workspace, input, moment, (body) => revise(body, input, now));
      return answer(record, `Attempt ${bodyOf(record).iterations} begins`);
    }
    case "note":
      return answer(await change(workspace, input, moment, (body) => addNote(body, input.text!, now)), "Noted");
    case "amend":
      return answer(await change(workspace, input, moment, (body) => amend(body, reasons(input), nameOf)), "Amended");
    case "resolve":
    case "abandon": {
      const status = input.step === "abandon" ? "abandoned" : input.status;
      const resolved = { ...resolution(input), status };
      const record = await change(workspace, input, moment, (body) => resolve(body, resolved, now, nameOf));
      return answer(record, `Resolved as ${endOf(bodyOf(record))}`);
    }
  }
}

/** Begins an experience, or records one that has already ended. */
async function add(workspace: Workspace, input: ExperienceInput, { session, now, nameOf }: Moment): Promise<Answer> {
  const started = begin(attemptOf(input, session));
  const isPast = input.step === "record";
  const body = isPast ? resolve(started, { ...resolution(input), afterTheFact: true }, now, nameOf) : started;
  const anchoredBody = withAnchors(body, await anchorsFor(body, workspace));
  const record = await write(await workspace.records(), workspace.owner, anchoredBody, now);
  return answer(
    record,
    isPast ? `Recorded as ${endOf(anchoredBody)}` : `Started in session ${JSON.stringify(session)}`,
  );
}

/** Continues an open experience in this session, in whichever session it was begun. */
async function resume(workspace: Workspace, { id }: ExperienceInput, { session, now }: Moment): Promise<Answer> {
  const open = await findExperience(workspace, id, session);
  const records = await workspace.records();
  const slot = activeSlot(session);
  const holder = await records.inSlot(workspace.owner, slot);
  if (holder && holder.id !== open.id) throw sessionTaken(holder, undefined);
  const record = await records.change(workspace.owner, open.id, (record) => {
    const body = bodyOf(record);
    if (!isActive(body)) throw new DossierError("bad-input", `${record.id} has ended: ${endOf(body)}.`);
    return { ...record, changed: now, slot, body: { ...body, session } };
  });
  return answer(record, `Resumed in session ${JSON.stringify(session)}`);
}

/** An active experience takes its session's slot. */
async function write(records: RecordStore, owner: string, body: Experience, now: number): Promise<StoredRecord> {
  const id = `exp-${hashText(randomUUID())}`;
  const slot = isActive(body) ? activeSlot(body.session) : undefined;
  try {
    await records.write(owner, [{ id, type: "experience", created: now, changed: now, slot, body }]);
  } catch (error) {
    const holder = slot && (await records.inSlot(owner, slot));
    if (!holder || !(error instanceof DossierError && error.code === "conflict")) throw error;
    throw sessionTaken(holder, error);
  }
  const [record] = await records.get(owner, [id]);
  return record!;
}

function sessionTaken(holder: StoredRecord, cause: unknown): DossierError {
  const { session, goal } = bodyOf(holder);
  const problem = `${holder.id} is active in session ${JSON.stringify(session)} (${short(goal)})`;
  return new DossierError("conflict", `${problem}; resolve, abandon or update it, or name another session.`, { cause });
}

/**
 * The step is checked twice: on the record as read, to look up its names, and on the record as it is when it is
 * written.
 */
async function change(
  workspace: Workspace,
  { id }: ExperienceInput,
  { session, now }: Moment,
  step: (body: Experience) => Experience,
): Promise<StoredRecord> {
  const target = await findExperience(workspace, id, session);
  const anchors = await anchorsFor(step(bodyOf(target)), workspace);
  const records = await workspace.records();
  return records.change(workspace.owner, target.id, (record) => {
    const body = withAnchors(step(bodyOf(record)), anchors);
    return { ...record, changed: now, slot: isActive(body) ? record.slot : undefined, body };
  });
}

function answer(record: StoredRecord, outcome: string): Answer {
  return { message: `${outcome}: ${record.id}.`, experience: shownExperience(record) };
}

function endOf({ outcome, tier }: Experience): string {
  return outcome?.status === tier ? tier! : `${outcome?.status} (${tier})`;
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** The step's check has made sure that every field is there. */
function attemptOf(
  { domain, strategy, goal, hypothesis, action, prediction }: ExperienceInput,
  session: string,
): Beginning {
  return {
    session,
    domain: domain as Domain,
    strategy: strategy as Strategy,
    goal: goal!,
    hypothesis: hypothesis!,
    action: action!,
    prediction: prediction!,
  };
}

function resolution(input: ExperienceInput): Resolution {
  const { status, result, afterTheFact } = input;
  return { status, result, afterTheFact, ...reasons(input) };
}

function reasons({ surprise, rootCause, rootCauseDescription, lesson, takeaway }: ExperienceInput): Resolution {
  const hasCause = rootCause !== undefined || rootCauseDescription !== undefined;
  const hasLesson = lesson !== undefined || takeaway !== undefined;
  return {
    surprise,
    ...(hasCause && { rootCause: { category: rootCause, description: rootCauseDescription } }),
    ...(hasLesson && { lesson: { whatWorked: lesson, takeaway } }),
  };
}

const mostAnchors = 20;

/**
 * Where the names that an experience mentions are now, as far as the index knows: anchors find them again after a
 * rename.
 */
async function anchorsFor(experience: Experience, workspace: Workspace): Promise<Anchor[]> {
  const lines = Object.values(axisTexts(experience)).flatMap(linesOf);
  const { anchorsOf } = await import("../../learned/grounding/anchors.ts");
  return anchorsOf([...new Set(lines)].join("\n"), workspace);
}

/**
 * Adds anchors for names that have none. An existing anchor stays: it was made closer to the time of the experience.
 */
function withAnchors(experience: Experience, fresh: Anchor[]): Experience {
  const before = experience.anchors ?? [];
  const added = fresh.filter(({ name }) => !before.some((anchor) => anchor.name === name));
  if (added.length === 0) return experience;
  return { ...experience, anchors: [...before, ...added].slice(0, mostAnchors) };
}
