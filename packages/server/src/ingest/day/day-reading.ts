import { PLANNED_LESS } from "../../store/planned-less.ts";
import { FIND_SECONDS } from "../find-seconds.ts";

/**
 * For reads of what a day or a refresh is made of: they take what the statement takes that stores it, which has no bounds of a
 * caller's question. The engine's own bound of memory holds for both.
 */
export const DAY_READING = { max_execution_time: FIND_SECONDS, max_memory_usage: 0, ...PLANNED_LESS };
