import type { Revision } from "../data/repositories.ts";
import type { Part } from "../set.ts";

export type MinedRevision = Revision & { part: Part };

/**
 * Repositories that names and messages are mined from, in nine languages, each at one commit so that runs can be
 * compared.
 */
export const minedRevisions: MinedRevision[] = [
  { repo: "pallets/flask", commit: "85c5d93cbd049c4bd0679c36fd1ddcae8c37b642", part: "tuning" },
  { repo: "psf/requests", commit: "46e939b5525d9c72b677340985582b04b128478a", part: "tuning" },
  { repo: "expressjs/express", commit: "a3714473feb3d2908add734d340e7755fd85e0a3", part: "tuning" },
  { repo: "gin-gonic/gin", commit: "dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9", part: "tuning" },
  { repo: "google/gson", commit: "9835b6f90192f79cdf5300c528fc6212455fb6c1", part: "tuning" },
  { repo: "slimphp/Slim", commit: "038fd5713d5a41636fdff0e8dcceedecdd17fc17", part: "tuning" },
  { repo: "honojs/hono", commit: "28a9c128912de19f3fb28b00ae289c9b93f6f392", part: "held" },
  { repo: "BurntSushi/ripgrep", commit: "3fce3b5bb0236da2df6d99672afb8a719642eca7", part: "held" },
  { repo: "sinatra/sinatra", commit: "cb22afd7902b566b6eaba6c4ea89739494a65d12", part: "held" },
  { repo: "DaveGamble/cJSON", commit: "a29814f285cc531c00223743ad3c55cd38c0dc56", part: "held" },
];
