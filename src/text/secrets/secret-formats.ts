/**
 * Formats of secrets that are known by their own look, most of them by a prefix their issuers chose for that purpose.
 * Every pattern is bounded in length, so that hostile text costs no more than ordinary text, and each format has at
 * least sixteen characters of `A-Z a-z 0-9 _ - + / =` in a row, by which candidates are found.
 */
const formats: Record<string, string> = {
  "aws-key": "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
  "github-token": "gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9_]{40,244}",
  "gitlab-token": "gl(?:pat|dt|rt|soat|ptt|cbt)-[A-Za-z0-9_-]{20,64}",
  "slack-token": "xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-\\d-[A-Za-z0-9-]{10,250}",
  "google-key": "AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\\.[A-Za-z0-9_-]{30,300}",
  "stripe-key": "(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}|whsec_[A-Za-z0-9+/=]{24,250}",
  "anthropic-key": "sk-ant-[A-Za-z0-9_-]{16,250}",
  "openai-key":
    "sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{16,250}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{40,64}",
  "npm-token": "npm_[A-Za-z0-9]{36}",
  "pypi-token": "pypi-[A-Za-z0-9_-]{50,250}",
  "rubygems-token": "rubygems_[a-f0-9]{48}",
  "docker-token": "dckr_pat_[A-Za-z0-9_-]{27,60}",
  "huggingface-token": "hf_[A-Za-z0-9]{30,60}",
  "sendgrid-key": "SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}",
  "mailgun-key": "key-[a-f0-9]{32}",
  "mailchimp-key": "[a-f0-9]{32}-us\\d{1,2}",
  "twilio-key": "SK[a-f0-9]{32}",
  "shopify-token": "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
  "digitalocean-token": "do[opr]_v1_[a-f0-9]{64}",
  "databricks-token": "dapi[a-f0-9]{32}(?:-\\d)?",
  "vault-token": "hv[sbr]\\.[A-Za-z0-9_-]{24,250}",
  "atlassian-token": "ATATT3[A-Za-z0-9_=-]{50,250}",
  "linear-key": "lin_api_[A-Za-z0-9]{32,60}",
  "postman-key": "PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
  "groq-key": "gsk_[A-Za-z0-9]{40,60}",
  "openrouter-key": "sk-or-v1-[a-f0-9]{64}",
  "deepseek-key": "sk-[a-f0-9]{32}",
  "xai-key": "xai-[A-Za-z0-9]{60,100}",
  "perplexity-key": "pplx-[A-Za-z0-9]{40,64}",
  "replicate-token": "r8_[A-Za-z0-9]{37}",
  "fireworks-key": "fw_[A-Za-z0-9]{22,40}",
  "elevenlabs-key": "sk_[a-f0-9]{48}",
  "cerebras-key": "csk-[a-z0-9]{40,60}",
  "voyage-key": "pa-[A-Za-z0-9_]{43}",
  "nvidia-key": "nvapi-[A-Za-z0-9_-]{60,80}",
  "tavily-key": "tvly-(?:dev-|prod-)?[A-Za-z0-9]{30,40}",
  "langsmith-key": "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}",
  "pinecone-key": "pcsk_[A-Za-z0-9_]{50,90}",
  "notion-token": "ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43}",
  "figma-token": "figd_[A-Za-z0-9_-]{38,60}",
  "supabase-token": "sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{28,40}",
  "netlify-token": "nfp_[A-Za-z0-9]{36}",
  "fly-token": "fo1_[A-Za-z0-9_-]{43}|fm2_[A-Za-z0-9+/=]{60,400}",
  "cloudflare-key": "v1\\.0-[a-f0-9]{24}-[a-f0-9]{120,160}",
  "azure-key": "[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}",
  "sentry-token": "sntry[su]_[A-Za-z0-9+/=_-]{40,300}",
  "grafana-token": "glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/=]{40,400}",
  "posthog-key": "phx_[A-Za-z0-9]{40,60}",
  "newrelic-key": "NRAK-[A-Z0-9]{27}",
  "planetscale-token": "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}",
  "square-token": "sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}|EAAA[A-Za-z0-9_-]{60}",
  "brevo-key": "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
  "resend-key": "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}",
  "clojars-token": "CLOJARS_[a-f0-9]{60}",
  "cratesio-token": "cio[A-Za-z0-9]{32}",
  "heroku-key": "HRKU-[A-Za-z0-9-]{36,64}",
  "doppler-token": "dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9]{40,44}",
  "discord-token": "[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}",
  "terraform-token": "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,70}",
  "dossier-key": "dsr_[A-Za-z0-9_-]{24,80}",
  "age-key": "AGE-SECRET-KEY-1[A-Z0-9]{58}",
  "telegram-token": "\\d{8,10}:AA[A-Za-z0-9_-]{33}",
  "slack-webhook": "hooks\\.slack\\.com/services/T[A-Za-z0-9]{6,12}/B[A-Za-z0-9]{6,12}/[A-Za-z0-9]{20,30}",
  "discord-webhook": "discord(?:app)?\\.com/api/webhooks/\\d{16,20}/[A-Za-z0-9_-]{60,80}",
  jwt: "eyJ[A-Za-z0-9_-]{10,4000}\\.eyJ[A-Za-z0-9_-]{10,8000}\\.[A-Za-z0-9_-]{10,2000}",
};

const names = Object.keys(formats);
/** All formats at once; which one matched says the group, in the order of `names`. */
const anyFormat = new RegExp(
  `(?:${Object.values(formats)
    .map((pattern) => `(${pattern})`)
    .join("|")})(?![A-Za-z0-9])`,
  "y",
);

/**
 * Fixed beginnings of the formats: most words begin otherwise, which one test shows. The other formats begin with
 * anything.
 */
const beginning =
  /A(?:KIA|SIA|BIA|CCA|Iza|TATT3|GE-S)|gh[pousr]_|github_pat_|gl(?:pat|dt|rt|soat|ptt|cbt)-|gl(?:sa|c)_|xox[abeoprs]-|xapp-|GOCSPX|ya29|[sr]k[_-]|whsec_|npm_|pypi-|rubygems_|dckr_|hf_|SG\.|key-|SK[a-f0-9]|shp|do[opr]_|dapi|hv[sbr]\.|lin_|PMAK|gsk_|xai-|pplx-|r8_|fw_|nvapi-|tvly-|lsv2_|pcsk_|ntn_|secret_|figd_|sbp?_|nfp_|f[om][12]_|v1\.0-|sntry|NRAK|pscale_|sq0|EAAA|xkeysib|re_|CLOJARS_|cio|dsr_|csk-|pa-|phx_|HRKU-|dp\.|[MNO][A-Za-z0-9_-]{23,27}\.|hooks\.|discord|eyJ|[a-f0-9]{32}-us|\d{8,10}:AA|[A-Za-z0-9]{52}JQQJ99|[A-Za-z0-9]{14}\.atlasv1/y;

export type FoundSecret = { start: number; end: number; kind: string };

/** Secrets of a known format that begin in text[start..end), at the beginning of a word. */
export function knownFormats(text: string, start: number, end: number): FoundSecret[] {
  const secrets: FoundSecret[] = [];
  for (let at = start; at < end; at++) {
    if (isWord(text.charCodeAt(at - 1)) || !isWord(text.charCodeAt(at))) continue;
    beginning.lastIndex = at;
    if (!beginning.test(text)) continue;
    anyFormat.lastIndex = at;
    const match = anyFormat.exec(text);
    if (match === null) continue;
    const group = match.findIndex((value, i) => i > 0 && value !== undefined);
    secrets.push({ start: at, end: anyFormat.lastIndex, kind: names[group - 1]! });
    at = anyFormat.lastIndex - 1;
  }
  return secrets;
}

/** A-Z a-z 0-9 _ */
function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}
