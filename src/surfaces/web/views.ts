import type { ComponentType } from "preact";
import type { Report } from "./question/answer.ts";

/**
 * A page of the inspector. Those of a question share it, its options and its answer; each is loaded when it is first
 * shown.
 */
export type View = {
  /** In the address: `#/why`. */
  name: string;
  title: string;
  group: "question" | "workspace";
  /** For a view of the question: the extra report that it needs. */
  report?: Report;
  load: () => Promise<ComponentType>;
};

export const views: View[] = [
  { name: "ask", title: "Ask", group: "question", load: async () => (await import("./views/ask.tsx")).AskView },
  {
    name: "budget",
    title: "Budget",
    group: "question",
    report: ["parts", "levels"],
    load: async () => (await import("./views/budget.tsx")).BudgetView,
  },
  { name: "why", title: "Why", group: "question", load: async () => (await import("./views/why.tsx")).WhyView },
  {
    name: "graph",
    title: "Graph",
    group: "question",
    load: async () => (await import("./views/graph/graph-view.tsx")).GraphView,
  },
  { name: "text", title: "Text", group: "question", load: async () => (await import("./views/text.tsx")).TextView },
  {
    name: "compare",
    title: "Compare",
    group: "question",
    load: async () => (await import("./views/compare.tsx")).CompareView,
  },
  {
    name: "workspace",
    title: "Workspace",
    group: "workspace",
    load: async () => (await import("./views/workspace/workspace-view.tsx")).WorkspaceView,
  },
  {
    name: "memory",
    title: "Memory",
    group: "workspace",
    load: async () => (await import("./views/memory/memory-view.tsx")).MemoryView,
  },
  {
    name: "threads",
    title: "Threads",
    group: "workspace",
    load: async () => (await import("./views/threads/threads-view.tsx")).ThreadsView,
  },
  {
    name: "eval",
    title: "Eval",
    group: "workspace",
    load: async () => (await import("./views/eval/eval-view.tsx")).EvalView,
  },
];

export const groupTitles: Record<View["group"], string> = { question: "Question", workspace: "Workspace" };

export function viewNamed(name: string): View {
  return views.find((view) => view.name === name) ?? views[0]!;
}
