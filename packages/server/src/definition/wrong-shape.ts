import type { z } from "zod";
import { shortJson } from "./short-json.ts";

/** The first issue zod found: where, what, and a short sample of the value there. */
export type WrongShape = { readonly field: string; readonly problem: string; readonly sample: string };

const SAMPLE = 200;

export function wrongShape(error: z.core.$ZodError, value: unknown): WrongShape {
  const issue = error.issues[0];
  const path = issue?.path ?? [];
  let found: unknown = value;
  for (const key of path) found = (found as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return {
    field: fieldText(path) || "(the whole answer)",
    problem: issue?.message ?? "unexpected shape",
    sample: shortJson(found, SAMPLE),
  };
}

/** A path in code notation: `trades[3].price`. */
export function fieldText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return text.replace(/^\./, "");
}
