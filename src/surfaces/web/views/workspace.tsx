import { useRequest } from "../api/request.ts";
import { FailureNotice, Loading } from "../components/notice.tsx";
import { count } from "../components/numbers.ts";

export function WorkspaceView() {
  const { result, failure, again } = useRequest("status", (client, signal) => client.status({}, { signal }));
  return (
    <>
      <h1>Workspace</h1>
      {failure && <FailureNotice failure={failure} again={again} />}
      {!result && !failure && <Loading what="Reading the index" />}
      {result && (
        <dl class="facts">
          <dt>Items</dt>
          <dd class="number">{count(result.items)}</dd>
        </dl>
      )}
    </>
  );
}
