/**
 * The version with what it was built from: `0.1.0+3f2a…`. Two builds of one version are two programs, which do not answer for each other.
 * The build puts it here; what runs from source has no engine of its own.
 */
export const build: string = process.env.DOSSIER_BUILD ?? "0.0.0+source";
