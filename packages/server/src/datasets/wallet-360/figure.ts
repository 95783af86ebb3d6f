import { num, type Column } from "../../definition/column.ts";

/** A figure of six places, null where it is not defined. */
export const figure = (about: string, unit?: string): Column => num(unit).maybe(about);
