import type { KeyLimit } from "../../api/keys.ts";
import { showFigure } from "../../read/show-figure.ts";
import { planProblem } from "../operator-plans/plan-problems.ts";

/** A key's own limit as it is typed; empty for none. */
export interface TypedLimit {
  readonly requests_per_minute: string;
  readonly burst: string;
}

const MOST = 1_000_000;

/** The fields of a key's own limit, under the service's names. */
export const LIMIT_FIELDS = [
  { name: "requests_per_minute", label: "Requests a minute", help: "Empty: the plan's limit." },
  { name: "burst", label: "Burst", help: "Requests allowed at once after an idle period." },
] as const satisfies readonly { name: keyof TypedLimit; label: string; help: string }[];

/** Error of one field given the other: the service takes both or neither. */
export function limitProblem(name: keyof TypedLimit, typed: TypedLimit): string | undefined {
  const other = name === "burst" ? typed.requests_per_minute : typed.burst;
  const text = typed[name].trim();
  if (text !== "") return planProblem(text, MOST);
  return other.trim() === "" ? undefined : "Give both, or leave both empty.";
}

const figureOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

/** The typed limit, once it is valid. */
export function toKeyLimit({ requests_per_minute: rate, burst }: TypedLimit): KeyLimit {
  return { requests_per_minute: figureOf(rate), burst: figureOf(burst) };
}

/** A key's limit in words. */
export function showKeyLimit({ requests_per_minute: rate, burst }: KeyLimit): string {
  return rate === null ? "the plan's" : `${showFigure(rate)} a minute, burst ${showFigure(burst)}`;
}
