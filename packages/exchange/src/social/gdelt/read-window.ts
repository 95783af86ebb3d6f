import { one, type Query } from "../../polymarket/query-values.ts";
import { GdeltRefusal } from "./gdelt-refusal.ts";
import { readStamp } from "./stamp.ts";

/** Three months; what is older cannot be asked for. */
const REACH_MS = 92 * 86_400_000;

/** Both ends inclusive. */
interface Window {
  from_ms: number;
  to_ms: number;
}

/** From `startdatetime` and `enddatetime`; by default the last three months. */
export function readWindow(query: Query, now: number): Window {
  const reach = now - REACH_MS;
  const [start, end] = [one(query, "startdatetime"), one(query, "enddatetime")];
  const from_ms = start === undefined ? reach : readStamp(start);
  const to_ms = end === undefined ? now : readStamp(end);
  if (from_ms === undefined || from_ms < reach) throw new GdeltRefusal("Invalid query start date.");
  if (to_ms === undefined || to_ms < from_ms) throw new GdeltRefusal("Invalid query end date.");
  return { from_ms, to_ms: Math.min(to_ms, now) };
}
