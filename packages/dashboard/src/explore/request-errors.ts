import type { AlmanacError, ErrorDetail } from "@almanac/client";
import type { Dataset } from "./dataset.ts";

export type PlacedErrors = {
  /** Keyed by parameter name, or "limit" and "offset". */
  readonly fields: ReadonlyMap<string, string>;
  /** Errors that belong to no field of the form. */
  readonly others: readonly string[];
};

/** Assigns the errors of a request to the fields they are about. */
export function placeErrors(dataset: Dataset, details: readonly ErrorDetail[]): PlacedErrors {
  const fields = new Map<string, string>();
  const others: string[] = [];
  for (const detail of details) {
    const field = fieldOf(dataset, detail.path);
    if (field === undefined) others.push(`${detail.path}: ${wordsOf(detail)}`);
    else fields.set(field, [fields.get(field), wordsOf(detail)].filter(Boolean).join(" "));
  }
  return { fields, others };
}

function fieldOf(dataset: Dataset, path: string): string | undefined {
  const page = /^pagination\.(limit|offset)$/.exec(path)?.[1];
  if (page !== undefined) return page;
  const name = /^params\.(.+)$/.exec(path)?.[1];
  if (name === undefined) return undefined;
  return dataset.params.find((param) => param.name === name || param.aliases.includes(name))?.name;
}

function wordsOf({ problem, expected, got }: ErrorDetail): string {
  const wanted = expected === undefined ? "" : `: expected ${expected}`;
  return `${problem}${wanted}${got === undefined ? "" : `, got ${got}`}.`;
}

/** The page about an error of the service; undefined for any other, such as a proxy's, or no answer. */
export function errorPage({ code, docs }: Pick<AlmanacError, "code" | "docs">): string | undefined {
  return docs === undefined ? undefined : `/docs/errors/${code.toLowerCase().replaceAll("_", "-")}`;
}

/** The name that an error suggests for an unknown parameter: "did you mean side?". */
export function suggestedName(detail: ErrorDetail): { readonly wrong: string; readonly right: string } | undefined {
  const wrong = /^params\.(.+)$/.exec(detail.path)?.[1];
  const right = /did you mean ([A-Za-z0-9_]+)\?/.exec(detail.problem)?.[1];
  return wrong === undefined || right === undefined ? undefined : { wrong, right };
}
