/**
 * The text of a stream of bytes in UTF-8; undefined when it has more than `mostBytes`, of which no more are read then.
 */
export async function boundedText(
  pieces: AsyncIterable<Uint8Array> | null,
  mostBytes: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of pieces ?? []) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) return undefined;
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
