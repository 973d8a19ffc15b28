import { useEffect, useState } from "preact/hooks";
import type { Client, RequestFailure } from "../../../client/client.ts";
import { perform, useRequest } from "./request.ts";

type Page<Entry> = { entries: Entry[]; total: number; next?: string };

export type Pages<Entry> = {
  entries?: Entry[];
  total: number;
  failure?: RequestFailure;
  loading: boolean;
  /** Fetches the next page; absent where there is none. */
  more?: () => void;
  /** Asks for the first page again. */
  again: () => void;
};

/** A list that is read page by page, from the beginning whenever `key` changes. */
export function usePages<Entry>(
  key: string,
  ask: (client: Client, after: string | undefined, signal?: AbortSignal) => Promise<Page<Entry>>,
): Pages<Entry> {
  const first = useRequest(key, (client, signal) => ask(client, undefined, signal), typingPause);
  const [further, setFurther] = useState<Page<Entry>[]>([]);
  const [fetching, setFetching] = useState(false);
  const [failure, setFailure] = useState<RequestFailure>();
  useEffect(() => {
    setFurther([]);
    setFailure(undefined);
  }, [first.result]);
  const pages = first.result ? [first.result, ...further] : [];
  const next = pages.at(-1)?.next;
  const more = async () => {
    setFetching(true);
    try {
      const page = await perform((client) => ask(client, next));
      setFurther((before) => [...before, page]);
    } catch (error) {
      setFailure(error as RequestFailure);
    }
    setFetching(false);
  };
  return {
    entries: first.result && pages.flatMap(({ entries }) => entries),
    total: pages.at(-1)?.total ?? 0,
    failure: first.failure ?? failure,
    loading: first.loading || fetching,
    again: first.again,
    ...(next !== undefined && { more: () => void more() }),
  };
}

const typingPause = 120;
