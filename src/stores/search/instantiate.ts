/** The part of WebAssembly used here; its types come with the browser's, which this project does not load. */
const assembly = (
  globalThis as unknown as {
    WebAssembly: {
      validate(bytes: Uint8Array): boolean;
      Module: new (bytes: Uint8Array) => object;
      Instance: new (module: object) => { exports: unknown };
    };
  }
).WebAssembly;

/**
 * The exports of a WebAssembly program that needs nothing else; undefined where the machine cannot run it, for lack of
 * SIMD.
 */
export function kernelOf<Exports>(base64: string): Exports | undefined {
  const bytes = Buffer.from(base64, "base64");
  if (!assembly.validate(bytes)) return undefined;
  return new assembly.Instance(new assembly.Module(bytes)).exports as Exports;
}
