import type { ComponentChildren } from "preact";
import type { RequestFailure } from "../../../client/client.ts";

type Tone = "info" | "warning" | "error" | "good";

/** A sentence that the reader should not miss; screen readers say it when it appears. */
export function Notice({ tone = "info", children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === "error" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** A failure with its advice, and a way to try again. */
export function FailureNotice({ failure, again }: { failure: RequestFailure; again?: () => void }) {
  // The whole page says so, and goes on by itself.
  if (failure.code === "unreachable" || failure.code === "no-key") return null;
  return (
    <Notice tone="error">
      <p>
        <strong>{failure.message}</strong> {failure.fix}
      </p>
      {again && (
        <button class="button quiet" type="button" onClick={again}>
          Try again
        </button>
      )}
    </Notice>
  );
}

/** Where there is nothing to show: why, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading({ what = "Loading" }: { what?: string }) {
  return (
    <p class="loading" role="status">
      {what}…
    </p>
  );
}
