import type { LanguageId } from "../languages.ts";
import type { Rules } from "../rules.ts";
import { c, cpp } from "./c.ts";
import { csharp } from "./csharp.ts";
import { css } from "./css.ts";
import { dart } from "./dart.ts";
import { elixir } from "./elixir.ts";
import { go } from "./go.ts";
import { haskell } from "./haskell.ts";
import { java } from "./java.ts";
import { javascript } from "./javascript.ts";
import { julia } from "./julia.ts";
import { kotlin } from "./kotlin.ts";
import { lua } from "./lua.ts";
import { objectivec } from "./objectivec.ts";
import { ocaml } from "./ocaml.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { scala } from "./scala.ts";
import { bash, powershell } from "./shell.ts";
import { solidity } from "./solidity.ts";
import { swift } from "./swift.ts";
import { zig } from "./zig.ts";

/** The rules of every language that has a grammar. */
export const rulesOf: Partial<Record<LanguageId, Rules>> = {
  bash,
  zig,
  scala,
  ocaml,
  objectivec,
  lua,
  kotlin,
  julia,
  haskell,
  elixir,
  c,
  cpp,
  csharp,
  css,
  dart,
  go,
  java,
  javascript,
  jsx: javascript,
  php,
  powershell,
  python,
  ruby,
  rust,
  solidity,
  svelte: javascript,
  swift,
  tsx: javascript,
  typescript: javascript,
  vue: javascript,
};
