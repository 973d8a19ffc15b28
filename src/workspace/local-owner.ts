/** The person at this machine. */
export const localOwner = "local";
