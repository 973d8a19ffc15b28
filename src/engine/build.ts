/**
 * The version with a hash of the build: `0.1.0+3f2a…`. Two builds of one version are different programs, and neither
 * answers for the other. The build sets the variable; a program run from source has no engine.
 */
export const build: string = process.env.DOSSIER_BUILD ?? "0.0.0+source";
