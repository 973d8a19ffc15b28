import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { axes } from "../../learned/experience.ts";
import { longestValue, type Value } from "../../learned/value.ts";
import { path } from "../../options.ts";
import type { RecordWrite, StoredRecord } from "../../stores/records.ts";
import { hashText } from "../../text/hash.ts";
import { redact } from "../../text/secrets/secrets.ts";
import { nearDuplicates } from "../../text/similarity/similarity.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Environment, operation } from "../core/operation.ts";
import { checkStep, type Steps } from "../core/steps.ts";
import { findRecord } from "../memory/record-find.ts";
import { paint } from "../terminal/colours.ts";
import { plain } from "../terminal/phrases.ts";
import type { findCluster } from "./cluster-find.ts";
import { clusterShape, clusterText, rounded, shownCluster, shownValue, valueShape, valueText } from "./value-shape.ts";

/** The steps of a value, each with the inputs it needs and those it may have besides. */
const valueSteps = ["propose", "check", "add", "show", "revalidate", "forget"] as const;
type ValueStep = (typeof valueSteps)[number];

const valueTakes: Steps<ValueStep> = {
  propose: { needs: ["id"], may: ["axis"] },
  check: { needs: ["id", "text"], may: ["axis"] },
  add: { needs: ["id", "text"], may: ["axis"] },
  show: { needs: ["id"], may: [] },
  revalidate: { needs: [], may: ["id"] },
  forget: { needs: ["id"], may: [] },
};

const input = z.object({
  step: z.enum(valueSteps).describe("What to do"),
  id: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe("A cluster or an experience in it (propose, check, add), or a value (show, revalidate, forget)"),
  path,
  text: z.string().trim().min(1).max(longestValue).optional().describe("The principle in words (check, add)"),
  axis: z.enum(axes).optional().describe("Which cluster of an experience is meant; default: full"),
});

type Input = z.output<typeof input>;

const check = z.object({
  text: z.string(),
  valid: z.boolean().describe("Near enough to the centroid to stand for the cluster"),
  distance: z.number().describe("Cosine distance to the centroid"),
  threshold: z.number().describe("The most it may be: mean and half a standard deviation of the members' own"),
  nearer: z.array(z.string()).describe("Words that would bring it nearer, the best first"),
});

const whys = ["fits", "too-far", "cluster-gone"] as const;

const output = z.object({
  cluster: clusterShape.optional(),
  check: check.optional().describe("Of the text that was proposed or given"),
  values: z
    .array(valueShape.extend({ why: z.enum(whys).optional().describe("What its state was found out from") }))
    .describe("Those that were added, shown, revalidated or forgotten"),
  warnings: z.array(z.string()),
});

type Output = z.output<typeof output>;

/** A lesson that similar experiences teach, as a sentence that must be close to them. */
export const value = operation({
  name: "value",
  command: {
    propose: { words: "value propose", summary: "Make a text for a cluster, of its members' own lessons" },
    check: {
      words: "value check",
      summary: "See whether a text fits a cluster; the exit status is 1 when it does not",
    },
    add: { words: "value add", summary: "Keep a principle that fits its cluster" },
    show: { words: "value show", summary: "Show a value and the experiences it came from" },
    revalidate: { words: "value revalidate", summary: "Compare values with the experiences of today" },
    forget: { words: "value forget", summary: "Forget a value; dossier memory restore brings it back" },
  },
  group: "Experiences",
  summary: "Turn a cluster of experiences into a principle: propose, check, add, show, revalidate, forget",
  access: { propose: "read", check: "read", add: "write", show: "read", revalidate: "write", forget: "write" },
  input,
  output,
  positional: ["step", "id"],
  takes: valueTakes,
  examples: [
    { command: "dossier value propose clu-full-1k3f", what: "a text made of the members' own lessons" },
    {
      command: 'dossier value check clu-full-1k3f "Release pool clients in a finally block"',
      what: "whether it fits; the exit status is 1 when it does not",
    },
    { command: 'dossier value add clu-full-1k3f "Release pool clients in a finally block"', what: "keep it" },
    { command: "dossier value show val-1k3f", what: "all of one" },
    { command: "dossier value revalidate", what: "compare all values with the experiences of today" },
    { command: "dossier value forget val-1k3f", what: "can be taken back" },
  ],
  exit: ({ check }) => (check?.valid === false ? 1 : 0),
  async run(input, environment) {
    checkStep("value", valueTakes, input, environment);
    return steps[input.step](input, environment, await environment.workspace());
  },
  text({ cluster, check, values }, { step }, colour) {
    const p = paint(colour);
    const lines: string[] = [];
    if (cluster) lines.push(clusterText(cluster, colour));
    if (check) {
      if (step === "propose") lines.push(plain(check.text));
      const fit = `${check.distance.toFixed(3)} away, at most ${check.threshold.toFixed(3)} is allowed`;
      lines.push(check.valid ? p.green(`It fits: ${fit}.`) : p.yellow(`It does not fit: ${fit}.`));
      if (!check.valid && check.nearer.length > 0) lines.push(`Nearer with: ${check.nearer.join(", ")}`);
    }
    if (step === "forget")
      return values.map(({ id }) => `Forgotten: ${id}. To take it back: dossier memory restore ${id}`).join("\n");
    if (step === "revalidate" && values.length === 0) return "There are no values.";
    for (const each of values) lines.push(`${valueText(each, colour)}${reason(each.why)}`);
    return lines.join("\n");
  },
});

function reason(why: (typeof whys)[number] | undefined): string {
  if (why === "cluster-gone") return "\n  Its experiences are no cluster any more.";
  return why === "too-far" ? "\n  The cluster has moved away from what it says." : "";
}

type Run = (input: Input, environment: Environment, workspace: Workspace) => Promise<Output>;

/** Clustering is loaded for the steps that need it. */
async function clusterCalled(...args: Parameters<typeof findCluster>): ReturnType<typeof findCluster> {
  return (await import("./cluster-find.ts")).findCluster(...args);
}

/** Members of the cluster that an answer lists. */
const shownMembers = 5;

const steps: Record<Input["step"], Run> = {
  async propose({ id, axis }, { signal }, workspace) {
    const { cluster, space } = await clusterCalled(workspace, id!, axis, signal);
    const [{ proposeText }, { checkText }] = await Promise.all([
      import("../../learned/value/proposal.ts"),
      import("../../learned/value/check.ts"),
    ]);
    const text = proposeText(cluster, space);
    const verdict = shownCheck(text, checkText(text, cluster, space));
    return { cluster: shownCluster(cluster, shownMembers), check: verdict, values: [], warnings: [] };
  },

  async check({ id, axis, text }, { signal }, workspace) {
    const { cluster, space } = await clusterCalled(workspace, id!, axis, signal);
    const { checkText } = await import("../../learned/value/check.ts");
    const verdict = shownCheck(text!, checkText(text!, cluster, space));
    return { cluster: shownCluster(cluster, shownMembers), check: verdict, values: [], warnings: [] };
  },

  async add({ id, axis, text: rawText }, { signal }, workspace) {
    const { text, found } = redact(rawText!);
    const secret = found > 0 ? ["What looks like a secret was not written down; a placeholder stands for it."] : [];
    const { cluster, space } = await clusterCalled(workspace, id!, axis, signal);
    const { checkText } = await import("../../learned/value/check.ts");
    const checked = checkText(text, cluster, space);
    if (!checked.valid) throw refusal(checked);
    const now = Date.now();
    const body: Value = {
      text,
      axis: cluster.axis,
      members: cluster.members.map((member) => member.id),
      distance: checked.distance,
      threshold: checked.threshold,
      validatedAt: now,
      state: "valid",
    };
    const { record, alike } = await store(workspace, body, now);
    return { values: [shownValue(record)], warnings: [...secret, ...alike] };
  },

  async show({ id }, _environment, workspace) {
    const record = await findRecord(workspace, id!, { types: ["value"], state: "kept" });
    const { members } = record.body as Value;
    return { values: [{ ...shownValue(record), members }], warnings: [] };
  },

  async revalidate({ id }, { signal }, workspace) {
    if (id === undefined && !workspace.hasRecords()) return { values: [], warnings: [] };
    const { allValues, revalidateAll } = await import("../../learned/value/refresh.ts");
    const chosen =
      id === undefined
        ? await allValues(await workspace.records(), workspace.owner)
        : [await findRecord(workspace, id, { types: ["value"], state: "kept" })];
    const done = await revalidateAll(workspace, chosen, { now: Date.now(), signal, always: true });
    const values = chosen.map((record, i) => ({
      ...shownValue({ ...record, body: done[i]!.value }),
      why: done[i]!.why,
    }));
    return { values, warnings: [] };
  },

  async forget({ id }, _environment, workspace) {
    const record = await findRecord(workspace, id!, { types: ["value"], state: "kept" });
    await (await workspace.records()).remove(workspace.owner, record.id, Date.now());
    return { values: [shownValue(record)], warnings: [] };
  },
};

type Check = Omit<z.output<typeof check>, "text">;

function shownCheck(text: string, { valid, distance, threshold, nearer }: Check): z.output<typeof check> {
  return { text, valid, distance: rounded(distance), threshold: rounded(threshold), nearer };
}

function refusal({ distance, threshold, nearer }: Check): DossierError {
  const numbers = `${distance.toFixed(3)} away from the cluster's centroid; at most ${threshold.toFixed(3)} is allowed`;
  const hint = nearer.length > 0 ? ` Nearer with: ${nearer.join(", ")}.` : "";
  return new DossierError("does-not-fit", `The text is ${numbers}.${hint}`);
}

const sameText = 0.9;

/** The same text on the same axis is the same value: adding it again updates it. */
async function store(
  workspace: Workspace,
  body: Value,
  now: number,
): Promise<{ record: StoredRecord; alike: string[] }> {
  const { owner } = workspace;
  const records = await workspace.records();
  const { allValues } = await import("../../learned/value/refresh.ts");
  const id = `val-${hashText(`${body.axis}\n${body.text}`)}`;
  const others = await allValues(records, owner);
  const created = others.find((other) => other.id === id)?.created ?? now;
  const write: RecordWrite = { id, type: "value", created, changed: now, body };
  await records.write(owner, [write]);
  const near = others.filter((other) => other.id !== id && (other.body as Value).axis === body.axis);
  const twins = near.filter((other) => nearDuplicates([(other.body as Value).text, body.text], sameText).length > 0);
  const alike = twins.map((twin) => `${twin.id} says nearly the same: ${plain((twin.body as Value).text)}`);
  return { record: (await records.get(owner, [id]))[0]!, alike };
}
