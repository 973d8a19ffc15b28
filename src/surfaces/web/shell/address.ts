/**
 * Where the reader is: a view and its state, both in the address, so that an address can be shared and the back button
 * works. They stand after the #, which browsers do not send: a question is in no server's log.
 */
export type Location = { view: string; state: URLSearchParams };

/** People type and cut addresses: whatever stands there is a location, if only one of no view. */
export function readAddress(hash: string): Location {
  const address = hash.replace(/^#\/?/, "");
  const [view] = address.split("?", 1);
  return { view: view!, state: new URLSearchParams(address.slice(view!.length + 1)) };
}

export function addressOf(view: string, state: URLSearchParams): string {
  const query = state.toString();
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}
