import { useEffect, useRef } from "preact/hooks";
import { session } from "../api/session.ts";
import { Notice } from "../components/notice.tsx";
import icon from "../icon.svg";
import { QuestionFrame } from "../question/question-frame.tsx";
import { viewNamed } from "../views.ts";
import { CallerName } from "./caller-name.tsx";
import { KeyButton, KeyPrompt } from "./key-prompt.tsx";
import { LazyView } from "./lazy-view.tsx";
import { Navigation } from "./navigation.tsx";
import { useLocation } from "./router.ts";
import { useSharedValue } from "./shared-value.ts";
import { useShortcuts } from "./shortcuts.ts";
import { ThemeButton } from "./theme.tsx";

/** The frame around every view. */
export function Shell() {
  const location = useLocation();
  const view = viewNamed(location.view);
  const { state } = useSharedValue(session);
  const main = useRef<HTMLElement>(null);
  useShortcuts();
  useEffect(() => {
    document.title = `${view.title} · Dossier`;
  }, [view]);
  const page = <LazyView key={view.name} view={view} />;
  return (
    <>
      <button class="skip-link" type="button" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <div class="frame">
        <header class="side">
          <p class="brand">
            <img src={icon} alt="" width="20" height="20" /> Dossier
          </p>
          <Navigation current={view} />
          <div class="side-end">
            <CallerName />
            <KeyButton />
            <ThemeButton />
          </div>
        </header>
        <main ref={main} id="main" class="main" tabIndex={-1}>
          <ConnectionNotice />
          {state === "needs-key" && <KeyPrompt />}
          <div hidden={state === "needs-key"}>
            {view.group === "question" ? <QuestionFrame view={view}>{page}</QuestionFrame> : page}
          </div>
        </main>
      </div>
    </>
  );
}

function ConnectionNotice() {
  const { state } = useSharedValue(session);
  if (state !== "unreachable") return null;
  return (
    <Notice tone="warning">
      <p>
        <strong>The server does not answer.</strong> What you see is its last answer. The page goes on by itself when
        dossier serve runs again.
      </p>
    </Notice>
  );
}
