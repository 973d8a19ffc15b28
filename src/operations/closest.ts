import { closest as closestWord } from "../text/closest.ts";

/** For surfaces too, which see nothing but operations. */
export const closest = closestWord;
