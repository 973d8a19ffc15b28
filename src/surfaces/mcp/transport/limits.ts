/** Tokens (o200k_base) of one answer: clients cut longer ones, or refuse them. */
export const mostTokens = 20_000;
/** Tokens of a document: the rest is for warnings, and for the line that says where the rest is. */
export const mostDocument = 19_500;
