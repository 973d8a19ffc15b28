import { inflateRawSync } from "node:zlib";

/**
 * The files of a zip archive (a jar, a wheel) by name, unpacked when they are asked for. Reads what registries serve:
 * no encryption, no Zip64.
 */
export function readZip(bytes: Buffer): Map<string, () => Buffer> {
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end < 0) throw new Error("not a zip archive");
  const files = new Map<string, () => Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const method = bytes.readUInt16LE(at + 10);
    const packed = bytes.readUInt32LE(at + 20);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const header = bytes.readUInt32LE(at + 42);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength!);
    files.set(name, () => {
      // The local header has lengths of its own.
      const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
      const content = bytes.subarray(start, start + packed);
      return method === 0 ? content : inflateRawSync(content);
    });
    at += 46 + nameLength! + extraLength! + commentLength!;
  }
  return files;
}
