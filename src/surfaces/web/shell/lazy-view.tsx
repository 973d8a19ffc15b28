import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { Loading, Notice } from "../components/notice.tsx";
import type { View } from "../views.ts";

/** A view whose program is loaded when it is first shown. */
export function LazyView({ view }: { view: View }) {
  const [Loaded, setLoaded] = useState<ComponentType>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isMounted = true;
    view.load().then(
      (component) => isMounted && setLoaded(() => component),
      () => isMounted && setFailed(true),
    );
    return () => {
      isMounted = false;
    };
  }, [view]);
  if (failed) {
    return (
      <Notice tone="error">
        <p>
          This view could not be loaded: the server is gone, or was updated meanwhile. The address keeps your question.
        </p>
        <Button onClick={() => window.location.reload()}>Load the page again</Button>
      </Notice>
    );
  }
  return Loaded ? <Loaded /> : <Loading />;
}
