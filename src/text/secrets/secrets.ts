import { createHash } from "node:crypto";
import { type FoundSecret, knownFormats } from "./secret-formats.ts";

/**
 * Replaces keys, tokens, private-key blocks and passwords by placeholders such as `[secret:github-token:1a2b3c]`. The
 * same secret always has the same placeholder; the number of lines never changes. One pass over runs of key-like
 * characters finds nearly everything, so that text without secrets costs little.
 */
export function redact(text: string): { text: string; found: number } {
  const secrets: FoundSecret[] = [];
  findPrivateKeys(text, secrets);
  findUrlPasswords(text, secrets);
  findNamedPasswords(text, secrets);
  findRegistryCredentials(text, secrets);
  findKeyLikeRuns(text, secrets);
  if (secrets.length === 0) return { text, found: 0 };
  secrets.sort((a, b) => a.start - b.start || b.end - a.end);
  let result = "";
  let at = 0;
  let count = 0;
  for (const { start, end, kind } of secrets) {
    if (start < at) continue;
    result += text.slice(at, start) + placeholder(kind, text.slice(start, end));
    at = end;
    count++;
  }
  return { text: result + text.slice(at), found: count };
}

/** Six digits of a hash tell secrets apart and reveal nothing of them; line ends stay. */
function placeholder(kind: string, secret: string): string {
  const hash = createHash("sha256").update(secret).digest("hex").slice(0, 6);
  return `[secret:${kind}:${hash}]${"\n".repeat(secret.split("\n").length - 1)}`;
}

const longestKeyBlock = 20_000;
const keyOpening = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/y;
const keyClosing = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/y;

/**
 * From `-----BEGIN ... PRIVATE KEY-----` to its end, when what lies between is really a key and not code about keys.
 */
function findPrivateKeys(text: string, secrets: FoundSecret[]): void {
  for (let at = text.indexOf("-----BEGIN "); at >= 0; at = text.indexOf("-----BEGIN ", at + 1)) {
    keyOpening.lastIndex = at;
    if (!keyOpening.test(text)) continue;
    const start = keyOpening.lastIndex;
    // Only the closing line has dashes; a block cut short goes on as long as it looks like one.
    const dashes = text.indexOf("-----", start);
    keyClosing.lastIndex = dashes;
    const closed = dashes >= 0 && dashes - start <= longestKeyBlock && keyClosing.test(text);
    const body = text.slice(
      start,
      closed ? dashes : Math.min(dashes < 0 ? text.length : dashes, start + longestKeyBlock),
    );
    const length = closed ? body.length : keyLines(body);
    const base64 =
      body
        .slice(0, length)
        .match(/[A-Za-z0-9+/=]{16,}/g)
        ?.join("").length ?? 0;
    if (base64 < 40) continue;
    secrets.push({ start: at, end: closed ? keyClosing.lastIndex : start + length, kind: "private-key" });
  }
}

const keyLine = /^(?:[ \t]*["'`]?(?:[A-Za-z0-9+/=]|\\[nr])*["'`,;+ \t\r]*|[A-Z][\w-]{1,20}: .{1,100})$/;

/** How much of a block without an end is key: lines of base64, of which only the last is short, and headers. */
function keyLines(body: string): number {
  let length = 0;
  for (const [i, line] of body.split("\n").entries()) {
    if (!keyLine.test(line) || (i > 0 && line.trim() === "")) break;
    length += line.length + (i > 0 ? 1 : 0);
    if (i > 0 && line.trim().length < 16) break;
  }
  return length;
}

const credentials = /[^\s:/@'"`<>{}()]{0,64}:([^\s@/'"`<>{}()$]{3,128})@(?=[\w[%.-])/y;
const exampleWords =
  /example|sample|placeholder|change_?me|your|dummy|fake|redacted|x{4}|\*{3}|\.{3}|%[sd]|1234567|abcdef/i;
const commonPasswords =
  /^(?:p|pw|pass|passw(?:or)?d|passphrase|pwd|secret|user(?:name)?|root|admin|guest|test|testing|postgres|mysql|mongo|redis|token|key|foo|bar|baz|none|null|true|false|string|hunter2|letmein|qwerty)\d{0,3}$/i;

/** The password in `scheme://user:password@host`. */
function findUrlPasswords(text: string, secrets: FoundSecret[]): void {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    credentials.lastIndex = at + 3;
    const match = credentials.exec(text);
    if (match === null) continue;
    const password = match[1]!;
    const user = match[0].slice(0, match[0].indexOf(":"));
    if (
      password === user ||
      match[0].includes("[secret:") ||
      commonPasswords.test(password) ||
      exampleWords.test(password)
    )
      continue;
    const end = credentials.lastIndex - 1;
    secrets.push({ start: end - password.length, end, kind: "url-password" });
  }
}

const passwordValue =
  /(?:word|wd|phrase|WORD|WD|PHRASE)[\w-]{0,20}["'`]?\]?\s{0,3}(?::=|=>|[:=])\s{0,3}(["'`])([^\s"'`]{8,64})\1/y;

/** `password = "..."` where the value is no word: three of lower case, upper case, digits and signs. */
function findNamedPasswords(text: string, secrets: FoundSecret[]): void {
  for (const anchor of ["assw", "ASSW", "assphrase", "ASSPHRASE"]) {
    for (let at = text.indexOf(anchor); at >= 0; at = text.indexOf(anchor, at + 1)) {
      passwordValue.lastIndex = at + 3;
      const match = passwordValue.exec(text);
      if (match === null) continue;
      const value = match[2]!;
      const start = passwordValue.lastIndex - 1 - value.length;
      if (looksChosen(value)) secrets.push({ start, end: start + value.length, kind: "password" });
    }
  }
}

const registrySetting =
  /_(?:authToken|auth|password)[ \t]{0,3}=[ \t]{0,3}(["']?)([^\s"']{6,512})\1(?=[ \t]*(?:\r?\n|$))/y;
const registryBefore = /\/\/[^\s=]{1,200}:$/;
const nothingBefore = /(?:^|\n)[ \t]{0,20}$/;

/**
 * `//registry.example.org/:_authToken=...` and its like, as `.npmrc` has them, also pasted into another text. After a
 * registry's address any value is a credential; without one only what is neither a name nor a call, as in `_password =
 * password`.
 */
function findRegistryCredentials(text: string, secrets: FoundSecret[]): void {
  for (const anchor of ["_auth", "_password"]) {
    for (let at = text.indexOf(anchor); at >= 0; at = text.indexOf(anchor, at + 1)) {
      registrySetting.lastIndex = at;
      const value = registrySetting.exec(text)?.[2];
      if (value === undefined || value.startsWith("${") || value.startsWith("[secret:")) continue;
      const ofRegistry = registryBefore.test(text.slice(Math.max(0, at - 210), at));
      const alone = nothingBefore.test(text.slice(Math.max(0, at - 21), at));
      if (!ofRegistry && !(alone && /^[\w+/=-]*$/.test(value) && /[\d=]/.test(value))) continue;
      const start = text.indexOf(value, at + anchor.length);
      secrets.push({ start, end: start + value.length, kind: "registry-credential" });
    }
  }
}

function looksChosen(value: string): boolean {
  if (
    value.includes("[secret:") ||
    exampleWords.test(value) ||
    commonPasswords.test(value) ||
    /^[$%{<[]|[{}<>()]|^\w+\$\d|\$\{/.test(value)
  )
    return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9_]/].filter((kind) => kind.test(value)).length;
  // Words joined by signs, paths and format strings are names, not passwords.
  return kinds >= 3 && /\d/.test(value) && entropy(value) >= 2.7 && !/^[\w-]+([./:][\w-]+)+$/.test(value);
}

const shortestRun = 16;
/** 1 for A-Z a-z 0-9 _ - + / = */
const keyCharacters = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_\-+/=]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Runs of sixteen key characters or more, found by looking at every sixteenth character only. */
function findKeyLikeRuns(text: string, secrets: FoundSecret[]): void {
  let last = 0;
  for (let at = shortestRun - 1; at < text.length; at += shortestRun) {
    if (!isKeyCharacter(text, at)) continue;
    let start = at;
    while (start > last && isKeyCharacter(text, start - 1)) start--;
    let end = at + 1;
    while (end < text.length && isKeyCharacter(text, end)) end++;
    if (end - start >= shortestRun) {
      if (hasDigit(text, start, end)) findInRun(text, start, end, secrets);
      else findLetters(text, start, end, secrets);
    }
    last = end;
    at = Math.max(at, end - 1);
  }
}

/** Keys that may have no digit, which one in a thousand of our own has not. */
const letterKeys =
  /(?<![A-Za-z0-9_])(?:(?<aws>(?:AKIA|ASIA|ABIA|ACCA)[A-Z]{16})(?![A-Za-z0-9_])|(?<huggingface>hf_[A-Za-z]{30,60})(?![A-Za-z0-9_])|(?<dossier>dsr_[A-Za-z_-]{43})(?![A-Za-z0-9_-]))/;

/** A name of letters has fewer changes from lower to upper case than a key. */
const fewestChanges = 5;

function findLetters(text: string, start: number, end: number, secrets: FoundSecret[]): void {
  const match = letterKeys.exec(text.slice(start, end));
  if (!match) return;
  const [key] = match;
  const { aws, dossier } = match.groups!;
  if (!aws && (key.match(/[a-z][A-Z]/g)?.length ?? 0) < fewestChanges) return;
  const at = start + match.index;
  const kind = aws ? "aws-key" : dossier ? "dossier-key" : "huggingface-token";
  secrets.push({ start: at, end: at + key.length, kind });
}

function isKeyCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && keyCharacters[code] === 1;
}

function hasDigit(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) return true;
  }
  return false;
}

function findInRun(text: string, start: number, end: number, secrets: FoundSecret[]): void {
  // Formats with a host name or a number and colon before their long part begin a little earlier.
  const formatted = knownFormats(text, Math.max(0, start - 24), end);
  for (const one of formatted) secrets.push(one);
  const rest = Math.max(start, formatted.at(-1)?.end ?? 0);
  const assigned = end - rest >= shortestRun ? namedSecret(text, rest, end) : undefined;
  if (assigned !== undefined) secrets.push(assigned);
}

const secretName =
  /(?:secret|token|passw(?:or)?d|passphrase|api_?-?key|access_?-?key|private_?-?key|auth_?-?key|account_?-?key|encryption_?-?key|signing_?-?key|master_?-?key|credential|bearer)s?[\w-]{0,12}$/i;
const assignment = /([A-Za-z_][\w.-]{0,60})["'`]?\]?\s{0,3}(?::=|=>|[:=])\s{0,3}(?:[bruf]{0,2}["'`])?$/i;
const bearer = /\b(?:bearer|authorization:\s{0,3}(?:token|basic))\s{1,3}$/i;
const longestSecret = 256;

/** `api_key = "..."`, `Authorization: Bearer ...`: a telling name before, a random-looking value after. */
function namedSecret(text: string, runStart: number, runEnd: number): FoundSecret | undefined {
  // An unquoted name and value may be one run: TOKEN=abc; the value begins after the sign.
  const sign = text.slice(runStart, Math.min(runEnd, runStart + 64)).search(/[A-Za-z_]=[^=]/);
  const start = sign >= 0 && runEnd - runStart - sign > shortestRun ? runStart + sign + 2 : runStart;
  const end = start + (/[^"'`\s,;)\]}]*/.exec(text.slice(start, start + longestSecret + 1))?.[0].length ?? 0);
  if (end - start > longestSecret || end < Math.min(runEnd, start + shortestRun)) return undefined;
  const before = text.slice(Math.max(0, start - 80), start);
  const name = assignment.exec(before)?.[1];
  if (!(name !== undefined && secretName.test(name)) && !bearer.test(before)) return undefined;
  return looksRandom(text.slice(start, end)) ? { start, end, kind: "key" } : undefined;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Random characters change between lower case, upper case and digits far more often than names and numbers do. */
function looksRandom(value: string): boolean {
  if (value.length < shortestRun || uuid.test(value) || exampleWords.test(value)) return false;
  if (!/^[A-Za-z0-9_\-+/=.~]+$/.test(value) || /^sha\d+-/.test(value)) return false;
  let changes = 0;
  let digits = 0;
  let before = "";
  for (const character of value) {
    const kind = /\d/.test(character)
      ? "digit"
      : /[a-z]/.test(character)
        ? "lower"
        : /[A-Z]/.test(character)
          ? "upper"
          : "";
    if (kind === "digit") digits++;
    if (kind !== "" && before !== "" && kind !== before) changes++;
    if (kind !== "") before = kind;
  }
  return digits >= 2 && changes >= value.length / 5 && entropy(value) >= 3.2;
}

/** Bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
