import { parseArgs } from "node:util";
import { measureLearned } from "./learned/learned.ts";
import { measureMcp } from "./mcp/mcp.ts";
import { measureNotes } from "./notes/notes.ts";
import { measurePostgres } from "./postgres/postgres.ts";
import { measureCold } from "./repository/cold.ts";
import { measureEngine } from "./repository/engine.ts";
import { measureSpeed } from "./repository/speed.ts";
import { measureTenfold } from "./repository/tenfold.ts";
import { measureFairness } from "./service/fairness.ts";
import { measureInspector } from "./service/inspector.ts";
import { measureLibrary } from "./service/library.ts";

/**
 * Measures speed: `npm run bench -- --repo ../django`, or with the name of another measurement. README.md lists them.
 */
const { values } = parseArgs({
  options: {
    repo: { type: "string", multiple: true, default: ["."] },
    out: { type: "string" },
    learned: { type: "boolean" },
    profile: { type: "string" },
    notes: { type: "boolean" },
    size: { type: "string" },
    library: { type: "boolean" },
    workers: { type: "string" },
    fairness: { type: "boolean" },
    seconds: { type: "string" },
    mcp: { type: "boolean" },
    postgres: { type: "boolean" },
    items: { type: "string" },
    inspector: { type: "boolean" },
    engine: { type: "boolean" },
    cold: { type: "boolean" },
    against: { type: "string" },
    refs: { type: "string" },
    tenfold: { type: "boolean" },
    folder: { type: "string" },
  },
});
const options = { ...values, repos: values.repo, repo: values.repo[0] ?? "." };

if (values.engine) await measureEngine(options);
else if (values.cold) measureCold(options);
else if (values.tenfold) await measureTenfold(options);
else if (values.learned) await measureLearned(options);
else if (values.notes) await measureNotes(options);
else if (values.library) await measureLibrary(options);
else if (values.fairness) await measureFairness(options);
else if (values.postgres) await measurePostgres(options);
else if (values.inspector) await measureInspector(options);
else if (values.mcp) await measureMcp(options);
else await measureSpeed(options);
// Without waiting for workers and connections that stay open.
process.exit();
