/** Tokens (o200k_base) of each face of one answer: clients cut what is longer, or refuse it. */
export const mostTokens = 20_000;
/** Of a document: the rest is for warnings, and for where the rest is. */
export const mostDocument = 19_500;
