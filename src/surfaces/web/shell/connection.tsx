import { session } from "../api/session.ts";
import { Notice } from "../components/notice.tsx";
import { useStore } from "./store.ts";

export function ConnectionNotice() {
  const { state } = useStore(session);
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
