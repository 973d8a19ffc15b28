import { absent } from "./absent.ts";
import { briefs } from "./briefs.ts";
import { chat } from "./chat.ts";
import { commits } from "./commits.ts";
import { errors } from "./errors.ts";
import { growth } from "./growth.ts";
import { leads } from "./leads.ts";
import { locomo } from "./locomo.ts";
import { noteLinks } from "./note-links.ts";
import { notes } from "./notes.ts";
import { pastes } from "./pastes.ts";
import { questions } from "./questions.ts";
import type { QualitySet } from "./set.ts";
import { swe } from "./swe.ts";
import { symbols } from "./symbols.ts";
import { cosqa, cranfield, scifact } from "./text-sets.ts";
import { usage } from "./usage.ts";

export const sets: QualitySet[] = [
  swe,
  questions,
  symbols,
  errors,
  pastes,
  leads,
  usage,
  growth,
  briefs,
  locomo,
  chat,
  cosqa,
  scifact,
  cranfield,
  notes,
  noteLinks,
  absent,
  commits,
];
