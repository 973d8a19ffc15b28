import { useState } from "preact/hooks";
import { forgetKey, hasKey, session, useKey } from "../api/session.ts";
import { Button } from "../components/button.tsx";
import { useSharedValue } from "./shared-value.ts";

/** Asks for a key. Other input on the page stays as it is. */
export function KeyPrompt() {
  const { reason } = useSharedValue(session);
  const [secret, setSecret] = useState("");
  const [keepsKey, setKeepsKey] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    if (secret.trim() !== "") useKey(secret.trim(), keepsKey);
  };
  return (
    <form class="panel key-prompt" onSubmit={submit}>
      <h1>A key is needed</h1>
      {reason !== undefined && (
        <p class="error-text" role="alert">
          {reason}
        </p>
      )}
      <p class="soft">
        The page shows what the key's owner has, and what its scope allows. <code>dossier key create &lt;name&gt;</code>{" "}
        makes one.
      </p>
      <label class="field">
        Key
        <input
          type="password"
          name="key"
          autocomplete="off"
          spellcheck={false}
          placeholder="dsr_…"
          value={secret}
          onInput={(event) => setSecret(event.currentTarget.value)}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={keepsKey} onChange={(event) => setKeepsKey(event.currentTarget.checked)} />
        Keep it until this tab is closed
      </label>
      <Button type="submit" kind="main" disabled={secret.trim() === ""}>
        Use this key
      </Button>
    </form>
  );
}

export function KeyButton() {
  const { state } = useSharedValue(session);
  if (state !== "open" || !hasKey()) return null;
  return (
    <Button kind="quiet" onClick={forgetKey}>
      Forget the key
    </Button>
  );
}
