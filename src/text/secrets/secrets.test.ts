import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "../../../tests/project/growth.ts";
import { redact } from "./secrets.ts";

// Put together at run time: no line of this file may look like a secret itself.
const random = (length: number, alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") => {
  let state = length * 2654435761;
  let text = "";
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    text += alphabet[(state >>> 8) % alphabet.length];
  }
  return text;
};
const hex = (length: number) => random(length, "0123456789abcdef");
const letters = (length: number) => random(length, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
const upper = (length: number) => random(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");

const vendors: [kind: string, secret: string][] = [
  ["aws-key", "AK" + "IA" + upper(16)],
  ["github-token", "gh" + "p_" + random(36)],
  ["github-token", "github" + "_pat_" + random(22) + "_" + random(59)],
  ["gitlab-token", "gl" + "pat-" + random(20)],
  ["slack-token", "xo" + "xb-" + random(12, "0123456789") + "-" + random(12, "0123456789") + "-" + random(24)],
  ["google-key", "AI" + "za" + random(35)],
  ["stripe-key", "sk" + "_live_" + random(24)],
  ["anthropic-key", "sk" + "-ant-api03-" + random(80)],
  ["openai-key", "sk" + "-proj-" + random(48)],
  ["openai-key", "sk" + "-" + random(48)],
  ["npm-token", "np" + "m_" + random(36)],
  ["huggingface-token", "h" + "f_" + random(34)],
  // Most have no digit at all.
  ["huggingface-token", "h" + "f_" + letters(34)],
  ["aws-key", "AK" + "IA" + random(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")],
  ["dossier-key", "ds" + "r_" + letters(43)],
  ["cerebras-key", "cs" + "k-" + random(48, "abcdefghijklmnopqrstuvwxyz0123456789")],
  ["voyage-key", "p" + "a-" + random(43)],
  ["posthog-key", "ph" + "x_" + random(43)],
  ["heroku-key", "HR" + "KU-" + [8, 4, 4, 4, 12].map(hex).join("-")],
  ["doppler-token", "d" + "p.pt." + random(43)],
  ["discord-token", "M" + random(25) + "." + random(6) + "." + random(38)],
  ["openrouter-key", "sk" + "-or-v1-" + hex(64)],
  ["deepseek-key", "sk" + "-" + hex(32)],
  ["xai-key", "xa" + "i-" + random(80)],
  ["perplexity-key", "ppl" + "x-" + random(48)],
  ["groq-key", "gs" + "k_" + random(52)],
  ["replicate-token", "r" + "8_" + random(37)],
  ["nvidia-key", "nva" + "pi-" + random(64)],
  ["tavily-key", "tvl" + "y-dev-" + random(32)],
  ["langsmith-key", "lsv2" + "_pt_" + hex(32) + "_" + hex(10)],
  ["pinecone-key", "pcs" + "k_" + random(60)],
  ["notion-token", "nt" + "n_" + random(46)],
  ["figma-token", "fig" + "d_" + random(40)],
  ["supabase-token", "sb" + "p_" + hex(40)],
  ["grafana-token", "gls" + "a_" + random(32) + "_" + hex(8)],
  ["brevo-key", "xkey" + "sib-" + hex(64) + "-" + random(16)],
  ["resend-key", "r" + "e_" + random(8) + "_" + random(24)],
  ["sendgrid-key", "S" + "G." + random(22) + "." + random(43)],
  ["jwt", ["ey" + "JhbGciOiJIUzI1NiJ9", "ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0", random(43)].join(".")],
  ["slack-webhook", "hooks." + "slack.com/services/T" + upper(8) + "/B" + upper(8) + "/" + random(24)],
];

const keyBlock = (body: string[]) => [
  "-----BEGIN " + "RSA PRIVATE KEY-----",
  ...body,
  "-----END " + "RSA PRIVATE KEY-----",
];

describe("redact", () => {
  it.each(vendors)("replaces a %s wherever it stands", (kind, secret) => {
    for (const [before, after] of [
      ["", ""],
      ['key = "', '"'],
      ["https://", "?a=1"],
      ["KEY=", "\n"],
      ["x: ", " # note"],
      ["漢字 ", "，"],
    ]) {
      const { text, found } = redact(`${before}${secret}${after}`);
      expect(found).toBe(1);
      expect(text).toMatch(new RegExp(`\\[secret:${kind}:[0-9a-f]{6}\\]`));
      expect(text).not.toContain(secret.slice(8));
      expect(text.startsWith(before!) && text.endsWith(after!)).toBe(true);
    }
  });

  it("gives the same secret the same placeholder, and another secret another", () => {
    const [one, other] = ["gh" + "p_" + random(36), "gh" + "p_" + random(36).split("").reverse().join("")];
    const lines = redact(`${one}\n${other}\nx ${one}`).text.split("\n");
    expect(lines[2]).toBe(`x ${lines[0]}`);
    expect(lines[1]).not.toBe(lines[0]);
  });

  it("replaces a private key and keeps its lines, closed or cut short", () => {
    const body = [random(64), random(63) + "/", random(40) + "=="];
    for (const block of [keyBlock(body), keyBlock(body).slice(0, -1)]) {
      const text = ["before", ...block, "", "after()"].join("\n");
      const result = redact(text);
      expect(result.found).toBe(1);
      expect(result.text.split("\n").length).toBe(text.split("\n").length);
      for (const line of body) expect(result.text).not.toContain(line.slice(0, 20));
      expect(result.text.startsWith("before\n[secret:private-key:")).toBe(true);
      expect(result.text.endsWith("\nafter()")).toBe(true);
    }
  });

  it("replaces a key in one line with escaped line ends", () => {
    const text = `{"private_key": "${keyBlock([random(64), random(64)]).join("\\n")}"}`;
    expect(redact(text).text).toMatch(/^\{"private_key": "\[secret:private-key:\w{6}\]"\}$/);
  });

  it("leaves code about private keys alone", () => {
    const code = `if (text.startsWith("-----BEGIN ${"PRIVATE KEY-----"}") && text.endsWith("-----END ${"PRIVATE KEY-----"}")) return;`;
    expect(redact(code)).toEqual({ text: code, found: 0 });
  });

  it("replaces the password of a URL and nothing else of it", () => {
    const { text } = redact(`DATABASE_URL=postgres://app:${"Xk9" + "vQ2mZt"}@db.internal:5432/app`);
    expect(text).toMatch(/^DATABASE_URL=postgres:\/\/app:\[secret:url-password:\w{6}\]@db\.internal:5432\/app$/);
  });

  it.each([
    (value: string) => `api_key = "${value}"`,
    (value: string) => `"apiKey": "${value}",`,
    (value: string) => `AUTH_TOKEN=${value}`,
    (value: string) => `client-secret: ${value}`,
    (value: string) => `curl -H "Authorization: Bearer ${value}"`,
    (value: string) => `const secretKey = '${value}';`,
  ])("replaces a random value behind a telling name (%#)", (line) => {
    for (const value of [random(32), hex(40), random(24) + "/" + random(15)]) {
      expect(redact(line(value)).text).toContain("[secret:key:");
      expect(redact(line(value)).text).not.toContain(value.slice(0, 12));
    }
  });

  it("replaces what a package registry is asked with, as .npmrc writes it", () => {
    const settings = [
      ["//registry.example.org/:_authToken=", "hunter22x"],
      ["//registry.example.org/npm/:_auth = ", "Zk3v9QpLm2"],
      ["  _auth=", "YWRhOlprM3Y5UXBM"],
      ["_authToken = ", "0f8e7c6d-1a2b-4c3d-9e8f-7a6b5c4d3e2f"],
      ['_password="', "aHVudGVyMg==", '"'],
    ] as const;
    for (const [before, secret, after = ""] of settings) {
      const { text } = redact(`registry=https://registry.example.org/\n${before}${secret}${after}\nalways-auth=true\n`);
      expect(text).not.toContain(secret);
      expect(text).toMatch(/^registry=\S+\n.*\[secret:[a-z-]+:[0-9a-f]{6}\]"?\nalways-auth=true\n$/);
    }
    for (const line of [
      "//registry.example.org/:_authToken=$" + "{NPM_TOKEN}",
      "    self._password = password1",
      "_password = read(4)",
      "_auth = basic_auth",
      "user_password=letters",
    ]) {
      expect(redact(`${line}\n`).text).toBe(`${line}\n`);
    }
  });

  it("replaces a chosen password behind its name", () => {
    expect(redact(`password = "${"Tr0ub" + "4dor&3"}"`).text).toMatch(/^password = "\[secret:password:\w{6}\]"$/);
  });

  it.each([
    'password = "secret"',
    'PASSWORD: "changeme"',
    "postgres://user:password@localhost/db",
    "postgres://user:$" + "{PASSWORD}@localhost/db",
    `token = "${["csrf", "middleware", "token"].join("")}"`,
    `api_key = "${["your", "api", "key", "here", "1234"].join("-")}"`,
    'secret_name = "projects/my-project/secrets/db-password-2"',
    "token_type_hint = TokenTypeHint2.ACCESS_TOKEN_V2",
    "const accessToken = await getAccessTokenSilently2();",
    "password_hash = hashers.make_password(raw_password)",
    `"integrity": "sha512-${random(86)}=="`,
    `commit ${hex(40)}`,
    `checksum = "${hex(64)}"`,
    `id: ${[hex(8), hex(4), hex(4), hex(4), hex(12)].join("-")}`,
    `token = "${[hex(8), hex(4), hex(4), hex(4), hex(12)].join("-")}"`,
    "AWS_REGION=eu-central-1",
    "test_very_long_function_name_with_number_2_in_it()",
    `data:image/png;base64,${random(200)}`,
  ])("leaves %j alone", (text) => {
    expect(redact(text)).toEqual({ text, found: 0 });
  });

  it("keeps the number of lines, finds nothing twice, and leaves text without secrets as it is", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...vendors.map(([, secret]) => secret),
        ...keyBlock([random(64)]),
        'password = "',
        "://a:",
        "@host",
        "token=",
        "\n",
        " ",
        '"',
      ),
      fc.string({ unit: "grapheme", maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const once = redact(text);
        expect(once.text.split("\n").length).toBe(text.split("\n").length);
        if (once.found === 0) expect(once.text).toBe(text);
        expect(redact(once.text)).toEqual({ text: once.text, found: 0 });
      }),
      { numRuns: 1000 },
    );
  });

  it("takes near-linear time on hostile text", () => {
    const units = [
      "a1",
      "ghp_",
      "sk-",
      "eyJabcdefghij.",
      "://a:b",
      "-----BEGIN PRIVATE KEY-----",
      'password="',
      "token=a1",
      "a1/",
      "-----BEGIN ",
    ];
    for (const unit of units) {
      const small = unit.repeat(Math.ceil(50_000 / unit.length));
      // Four times the text: 4 when linear, 16 when quadratic.
      expect(growth(redact, small, small.repeat(4)), unit).toBeLessThan(10);
    }
  });
});
