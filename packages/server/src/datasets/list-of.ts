import type { Bound } from "../definition/sql.ts";

/** The items of a list parameter; empty where it was not sent. */
export const listOf = (list: Bound | undefined): readonly string[] => (list?.value ?? []) as readonly string[];

/** The same as a set; undefined where it was not sent. */
export const setOf = (list: Bound | undefined): ReadonlySet<string> | undefined => list && new Set(listOf(list));
