import type { KeyMode, WantedKey } from "../../api/keys.ts";
import { expiryProblem, toExpiry } from "./expiry.ts";
import { limitProblem, toKeyLimit, type TypedLimit } from "./key-limit.ts";

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
