import type { QualitySet } from "./set.ts";
import { absent } from "./sets/absent.ts";
import { briefs } from "./sets/briefs.ts";
import { chat } from "./sets/chat.ts";
import { commits } from "./sets/commits.ts";
import { errors } from "./sets/errors.ts";
import { growth } from "./sets/growth.ts";
import { hintedLeads, leads } from "./sets/leads.ts";
import { locomo } from "./sets/locomo.ts";
import { noteLinks } from "./sets/note-links.ts";
import { notes } from "./sets/notes.ts";
import { pastes } from "./sets/pastes.ts";
import { questions } from "./sets/questions.ts";
import { swe } from "./sets/swe.ts";
import { symbols } from "./sets/symbols.ts";
import { cosqa, cranfield, scifact } from "./sets/text-sets.ts";
import { usage } from "./sets/usage.ts";

export const sets: QualitySet[] = [
  swe,
  questions,
  symbols,
  errors,
  pastes,
  leads,
  hintedLeads,
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
