import type { CaseKind } from "../../evaluation/case.ts";
import { type Paint, paint } from "../terminal/colours.ts";
import { counted, grouped, plain } from "../terminal/phrases.ts";
import type { EvalOutput } from "./shape.ts";

/** The measurement for people: a table with bars for each kind of cases, what was missed, and the result of fitting. */

const titles: Record<CaseKind, string> = {
  commit: "commit message -> source files it changed",
  test: "what a test is called -> the code it tests",
  note: "a sentence that mentions a note -> that note",
  thread: "a question in a thread -> what the reply cites",
  own: "your own cases",
};

/** Of many measures, those that say most; all of them are in the JSON. */
const shownMeasures = [
  "acc@1",
  "acc@3",
  "acc@5",
  "acc@10",
  "recall@5",
  "mrr",
  "unit acc@1",
  "unit acc@5",
  "unit acc@10",
  "unit mrr",
  "within",
];

const barWidth = 20;

export function evalText(output: EvalOutput, colour: boolean): string {
  const p = paint(colour);
  if (output.lines !== undefined) return output.lines.trimEnd();
  if (output.reset !== undefined) {
    return output.reset
      ? "The weights of dossier.json are gone; the built-in ones count again."
      : "dossier.json has no weights.";
  }
  const parts = output.cases.map((each) => kindText(each, output, p));
  if (output.figures.length === 0) {
    parts.push(
      'Nothing could be asked. Write down cases of your own and pass them with --cases: {"query": "…", "expect": ["path"]}',
    );
  } else {
    parts.push(legend(output, p));
  }
  if (output.model) parts.push(modelText(output.model, p));
  if (output.misses.length > 0) parts.push(missesText(output, p));
  if (output.tuning) parts.push(tuningText(output.tuning, p));
  return parts.join("\n\n");
}

function kindText({ kind, cases, found, why }: EvalOutput["cases"][number], output: EvalOutput, p: Paint): string {
  const head = p.bold(titles[kind]);
  if (cases === 0) return `${head}: ${p.yellow(why ?? "no cases.")}`;
  const rows = output.figures.filter((figure) => figure.kind === kind && shownMeasures.includes(figure.measure));
  const lines = rows.map((figure) => rowText(figure, output.maxTokens, p));
  const columns = `${"".padEnd(nameWidth + barWidth + 2)}${"dossier".padEnd(meanWidth)}${"BM25".padEnd(7)}difference`;
  const summary = `${counted(cases, "case")} of ${grouped(found)} looked at`;
  return [`${head}, ${summary}`, p.dim(columns), ...lines].join("\n");
}

const nameWidth = 22;
const meanWidth = 20;

function rowText(
  { measure, dossier, bm25, difference }: EvalOutput["figures"][number],
  maxTokens: number,
  p: Paint,
): string {
  const name = measure === "within" ? `in ${grouped(maxTokens)} tokens` : measure;
  const mean = `${percent(dossier.mean)} (${whole(dossier.low)} to ${whole(dossier.high)})`;
  const gap = `${signed(difference.mean)} (${signed(difference.low)} to ${signed(difference.high)})`;
  const painted = difference.low > 0 ? p.green(gap) : difference.high < 0 ? p.red(gap) : gap;
  return `  ${name.padEnd(nameWidth - 2)}${bar(dossier.mean)}  ${mean.padEnd(meanWidth)}${percent(bm25.mean).padEnd(7)}${painted}`;
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)}`;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function whole(share: number): string {
  return String(Math.round(share * 100));
}

function signed(share: number): string {
  const value = (share * 100).toFixed(1);
  return share > 0 ? `+${value}` : value;
}

function legend({ tokens, weights }: EvalOutput, p: Paint): string {
  const used = tokens.map(
    ({ kind, dossier, bm25 }) => `${kind} ${grouped(Math.round(dossier))} and ${grouped(Math.round(bm25))}`,
  );
  const lines = [
    "Percent, with 95 % intervals. acc@k: all that is expected is among the first k; recall@k: the share of it; mrr: one over the rank of the",
    "first of it; unit: the very function or class. The files are those of today, so what a commit or a test wrote can be found: compare",
    "these numbers with each other, not with those of another workspace.",
    `Tokens that the documents took, dossier and BM25: ${used.join("; ")}.`,
    ...(weights ? ["Measured with the weights of dossier.json."] : []),
  ];
  return p.dim(lines.join("\n"));
}

function modelText({ name, figures }: NonNullable<EvalOutput["model"]>, p: Paint): string {
  const rows = figures
    .filter(({ measure }) => shownMeasures.includes(measure))
    .map(({ kind, measure, with: ours, without, difference }) => {
      const gap = `${signed(difference.mean)} (${signed(difference.low)} to ${signed(difference.high)})`;
      const painted = difference.low > 0 ? p.green(gap) : difference.high < 0 ? p.red(gap) : gap;
      return `  ${`${kind} ${measure}`.padEnd(nameWidth)}${percent(ours.mean).padEnd(7)}${percent(without.mean).padEnd(9)}${painted}`;
    });
  const columns = `${"".padEnd(nameWidth + 2)}${"with".padEnd(7)}${"without".padEnd(9)}difference`;
  return [p.bold(`what the model ${plain(name)} brings`), p.dim(columns), ...rows].join("\n");
}

const longestQuery = 160;

function missesText({ misses }: EvalOutput, p: Paint): string {
  const lines = misses.map(({ kind, query, expected, from, rank, bm25, instead, look }) => {
    const text = plain(query);
    const shortQuery = text.length > longestQuery ? `${text.slice(0, longestQuery)}…` : text;
    const at = rank === undefined ? "not found" : `rank ${rank}`;
    const other = bm25 === undefined ? "BM25 did not find it either" : `BM25: ${bm25}`;
    return [
      `  ${p.bold(shortQuery)} ${p.dim(`(${kind}, ${plain(from)})`)}`,
      `    expected ${expected.slice(0, 5).map(plain).join(", ")}${expected.length > 5 ? ", …" : ""}: ${rank === undefined ? p.red(at) : at}; ${other}`,
      `    instead  ${instead.map(plain).join(", ") || "nothing"}`,
      p.dim(`    ${look.length > 400 ? "its query is long: see --json" : look}`),
    ].join("\n");
  });
  return [p.bold("worst misses, those first that plain BM25 found"), ...lines].join("\n");
}

function tuningText(tuning: NonNullable<EvalOutput["tuning"]>, p: Paint): string {
  const { fitted, reported, weights, before, after, difference, better, written, why } = tuning;
  const head = p.bold("tuning");
  const changes = [
    ...Object.entries(weights.files ?? {}).map(([signal, factor]) => `file ${signal} x${factor}`),
    ...Object.entries(weights.items ?? {}).map(([signal, factor]) => `item ${signal} x${factor}`),
  ];
  if (difference.count === 0) return `${head}: ${why}`;
  const gap = `${signed(difference.mean)} (${signed(difference.low)} to ${signed(difference.high)})`;
  const lines = [
    `${head}, fitted on ${counted(fitted, "case")}, reported on ${reported} others`,
    `  fitted: ${changes.join(", ") || "nothing that is worth changing"}`,
    `  mean reciprocal rank ${percent(before.mean)} -> ${percent(after.mean)}, difference ${better ? p.green(gap) : gap}`,
  ];
  if (!better) lines.push(`  ${why}`);
  else if (written) lines.push("  Written into dossier.json; dossier eval --reset takes them out again.");
  else lines.push("  That is significant. dossier eval --tune --write keeps these weights in dossier.json.");
  return lines.join("\n");
}
