import { num, type Column } from "../../definition/column.ts";

/** A figure with six decimals, null where undefined. */
export const figure = (about: string, unit?: string): Column => num(unit).maybe(about);
