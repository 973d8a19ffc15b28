/** Most tokens (o200k_base) of one answer: clients cut longer ones, or refuse them. */
export const mostTokens = 20_000;
/** Most tokens of a document: the rest is for warnings, and for the line that says how to read on. */
export const mostDocument = 19_500;
