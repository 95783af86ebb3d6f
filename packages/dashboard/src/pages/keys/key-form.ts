import type { KeyMode, KeyLimit, WantedKey } from "../../api/keys.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { planProblem } from "../operator-plans/plan-form.ts";

const DAY_MS = 86_400_000;

export const EXPIRIES = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "on", label: "On a day…" },
] as const;

/** The expiry time for a choice; undefined: never. A day ends at its last second in the user's zone. */
export function toExpiry(choice: string, day: string, now: number): string | undefined {
  if (choice === "never") return undefined;
  if (choice !== "on") return new Date(now + Number(choice) * DAY_MS).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** Why the choice is not valid. */
export function expiryProblem(choice: string, day: string, now: number): string | undefined {
  if (choice !== "on") return undefined;
  const expiry = toExpiry(choice, day, now);
  if (expiry === undefined) return "Choose a day.";
  return Date.parse(expiry) <= now ? `${day} has passed already; choose a later day.` : undefined;
}

export const KEY_MODE_CHOICES = [
  { value: "strict", label: "Strict" },
  { value: "compatible", label: "Compatible" },
] as const satisfies readonly { value: KeyMode; label: string }[];

const HELP: Readonly<Record<KeyMode, string>> = {
  strict: "An unknown or invalid parameter is an error. For programs written for this service.",
  compatible:
    "Requests and responses as programs for another service of this format send and read them; ignored parameters are in the response's warnings.",
};

export const keyModeHelp = (mode: string): string => HELP[toKeyMode(mode)];

/** The mode for a choice of the list. */
export function toKeyMode(choice: string): KeyMode {
  return choice === "compatible" ? "compatible" : "strict";
}

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

/** The form of a new key. `datasets` undefined: all that the plan allows; `account` undefined: the user's own. */
export interface KeyForm extends TypedLimit {
  readonly name: string;
  readonly expiry: string;
  readonly day: string;
  readonly datasets: readonly number[] | undefined;
  readonly account: string | undefined;
  readonly mode: KeyMode;
}

export interface KeyFormProblems {
  readonly expiry?: string;
  readonly datasets?: string;
  readonly requests_per_minute?: string;
  readonly burst?: string;
}

/** The request to the service, or the errors of the form. */
export function toWantedKey(form: KeyForm, now: number): WantedKey | { readonly wrong: KeyFormProblems } {
  const expiry = expiryProblem(form.expiry, form.day, now);
  if (expiry !== undefined) return { wrong: { expiry } };
  if (form.datasets?.length === 0)
    return { wrong: { datasets: "Choose at least one dataset, or all that the plan allows." } };
  for (const name of ["requests_per_minute", "burst"] as const) {
    const problem = limitProblem(name, form);
    if (problem !== undefined) return { wrong: { [name]: problem } };
  }
  const { requests_per_minute: rate, burst } = toKeyLimit(form);
  const expires = toExpiry(form.expiry, form.day, now);
  return {
    name: form.name.trim(),
    ...(expires === undefined ? {} : { expires_at: expires }),
    ...(form.datasets === undefined ? {} : { datasets: form.datasets }),
    ...(form.account === undefined ? {} : { account: form.account }),
    ...(form.mode === "strict" ? {} : { mode: form.mode }),
    ...(rate === null || burst === null ? {} : { requests_per_minute: rate, burst }),
  };
}
