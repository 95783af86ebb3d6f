import type { Gap } from "../../definition/coverage.ts";
import type { WrittenGap } from "./read-records.ts";

const MOST_GAPS = 100;

export type ToldGaps = { readonly gaps: readonly Gap[]; readonly reasons: readonly string[] };

/** Gaps of the asked time, and how many they are in a sentence: those that are open, and those filled since a walk began. */
export function tellGaps(open: readonly WrittenGap[], filled: readonly WrittenGap[]): ToldGaps {
  const gaps = [...open.map((gap) => toGap(gap)), ...filled.map((gap) => toGap(gap, "filled after this walk began"))];
  return { gaps: gaps.slice(0, MOST_GAPS), reasons: [...countOpen(open), ...countFilled(filled)] };
}

function countOpen(gaps: readonly WrittenGap[]): string[] {
  const all = countOf(gaps);
  if (all === 0) return [];
  const lost = countOf(gaps.filter(({ unfillable }) => unfillable !== null));
  const [count, those] =
    all === 1 ? ["1 gap lies", "it"] : [`${all} gaps lie`, lost === all ? "they" : `${lost} of them`];
  return [`${count} in the asked time${lost === 0 ? "" : `; ${those} cannot be filled`}.`];
}

function countFilled(gaps: readonly WrittenGap[]): string[] {
  const all = countOf(gaps);
  if (all === 0) return [];
  const [count, were, whose] = all === 1 ? ["1 gap", "was", "its"] : [`${all} gaps`, "were", "their"];
  return [
    `${count} in the asked time ${were} filled after this walk began: ${whose} rows are left out; start again without a cursor.`,
  ];
}

const countOf = (gaps: readonly WrittenGap[]): number => gaps.reduce((sum, { alike }) => sum + alike, 0);

function toGap({ instrument, from_at, to_at, reason, unfillable }: WrittenGap, note?: string): Gap {
  const what = instrument === null ? reason : `${instrument}: ${reason}`;
  const more = note ?? (unfillable === null ? undefined : `cannot be filled: ${unfillable}`);
  return {
    from: from_at.toISOString(),
    to: to_at?.toISOString() ?? null,
    reason: more === undefined ? what : `${what}; ${more}`,
  };
}
