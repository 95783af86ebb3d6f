import type { z } from "zod";

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

const MAX_DEPTH = 64;

/** The first `most` characters of a value's JSON. Writes no more than these, however large or deep the value is. */
export function shortJson(value: unknown, most: number): string {
  let text = "";
  const write = (part: unknown, depth: number): void => {
    if (text.length >= most) return;
    if (typeof part === "string") text += JSON.stringify(part.slice(0, most));
    else if (typeof part !== "object" || part === null) text += JSON.stringify(part) ?? "null";
    else if (depth >= MAX_DEPTH) text += "…";
    else if (Array.isArray(part)) writeList(part, depth);
    else writeObject(part, depth);
  };
  const writeList = (list: readonly unknown[], depth: number): void => {
    text += "[";
    for (let index = 0; index < list.length && text.length < most; index += 1) {
      if (index > 0) text += ",";
      write(list[index], depth + 1);
    }
    text += "]";
  };
  const writeObject = (object: object, depth: number): void => {
    text += "{";
    let separator = "";
    for (const key in object) {
      if (text.length >= most) break;
      const inner = (object as Record<string, unknown>)[key];
      if (inner === undefined) continue;
      text += `${separator}${JSON.stringify(key.slice(0, most))}:`;
      separator = ",";
      write(inner, depth + 1);
    }
    text += "}";
  };
  if (value === undefined) return "nothing";
  write(value, 0);
  return text.slice(0, most);
}
