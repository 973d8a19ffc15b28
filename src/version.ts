import manifest from "../package.json" with { type: "json" };

/** The version of this package, as package.json states it. */
export const version: string = manifest.version;

/** The version with what it was built from: two builds of one version are two programs. Set when it is built. */
export const build: string = `${version}+${process.env.DOSSIER_BUILD ?? "source"}`;
