import { closest } from "fastest-levenshtein";
import type { DatasetDefinition } from "../definition/dataset.ts";
import type { ErrorDetail } from "../definition/errors.ts";
import { bound, isIdle, type Param, type ParamValue } from "../definition/param.ts";
import { isMinusOne } from "../definition/number-text.ts";
import type { Bound } from "../definition/sql.ts";
import { refusal, shown } from "./refuse.ts";

/** So many are told: those of more than 50 mistakes say nothing new. */
export const MAX_WARNINGS = 50;

export type ReadParams = {
  /** Bound values by canonical name. */
  readonly given: Readonly<Record<string, Bound>>;
  /** The filters as applied, by canonical name, defaults included. */
  readonly echo: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
};

/** Reads a dataset's parameters. Everything that is wrong with them is told at once. */
export function parseParams(
  dataset: DatasetDefinition,
  sent: Readonly<Record<string, unknown>>,
  unknownIs: "reject" | "warn",
): ReadParams {
  const names = canonicalNames(dataset);
  const problems: ErrorDetail[] = [];
  const warnings: string[] = [];
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(sent)) {
    const canonical = names.get(key);
    if (canonical === undefined) {
      const detail = unknownName(key, dataset, names);
      if (unknownIs === "warn") warnings.push(`${detail.path}: ${detail.problem} and was ignored; ${detail.expected}`);
      else problems.push(detail);
    } else if (typeof value !== "string") {
      problems.push({
        path: `params.${key}`,
        problem: "is not a string",
        expected: "a JSON string (numbers and booleans too)",
        got: shown(value),
      });
    } else if (texts.has(canonical) && texts.get(canonical) !== value) {
      problems.push({
        path: `params.${key}`,
        problem: `says the same parameter as ${canonical} with another value`,
        expected: "one of the two",
        got: shown(value),
      });
    } else {
      texts.set(canonical, value);
    }
  }
  const read = readAll(dataset, texts, problems);
  if (problems.length === 0) checkTogether(dataset, read, problems);
  if (problems.length > 0) throw refusal("INVALID_PARAMS", problems.slice(0, 50));
  return { ...read, warnings: [...warnings, ...read.warnings].slice(0, MAX_WARNINGS) };
}

const namesOf = new WeakMap<DatasetDefinition["params"], ReadonlyMap<string, string>>();

/** Every name that a parameter may be sent by, with the one it is known by. */
function canonicalNames(dataset: DatasetDefinition): ReadonlyMap<string, string> {
  const known = namesOf.get(dataset.params);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  for (const [canonical, definition] of Object.entries(dataset.params)) {
    names.set(canonical, canonical);
    for (const alias of definition.aliases) if (!(alias in dataset.params)) names.set(alias, canonical);
  }
  namesOf.set(dataset.params, names);
  return names;
}

function unknownName(key: string, dataset: DatasetDefinition, names: ReadonlyMap<string, string>): ErrorDetail {
  const known = Object.keys(dataset.params);
  const nearest = closest(key.slice(0, 64), [...names.keys()]);
  return {
    path: `params.${shown(key)}`,
    problem: `is not a parameter of ${dataset.name}; did you mean ${nearest}?`,
    expected: `one of ${known.join(", ")}`,
  };
}

function readAll(dataset: DatasetDefinition, texts: Map<string, string>, problems: ErrorDetail[]) {
  const given: Record<string, Bound> = {};
  const echo: Record<string, string> = {};
  const warnings: string[] = [];
  for (const [name, definition] of Object.entries(dataset.params)) {
    const sent = texts.get(name);
    if (sent !== undefined) warnings.push(...warningsOf(name, definition, sent));
    const text = textOf(definition, sent, isGiven(dataset, definition.defaultUnless, texts));
    if (text === undefined) {
      if (definition.isRequired && !isGiven(dataset, definition.requiredUnless, texts))
        problems.push({ path: `params.${name}`, problem: "is required", expected: definition.type });
      else if (sent !== undefined && sent.trim() !== "") echo[name] = sent.trim();
      continue;
    }
    const parsed = definition.parse(text);
    if (parsed.ok) {
      given[name] = bound(definition, parsed.value);
      echo[name] = definition.echo(parsed.value);
    } else {
      problems.push({ path: `params.${name}`, problem: "does not read", expected: parsed.expected, got: shown(text) });
    }
  }
  return { given, echo, warnings };
}

/** What is to be read; undefined where there is no such filter. */
function textOf(definition: Param, sent: string | undefined, hasNoDefault: boolean): string | undefined {
  const otherwise = hasNoDefault ? undefined : definition.defaultText;
  if (sent === undefined) return otherwise;
  if (!isIdle(definition, sent)) return sent;
  return definition.offValues.length === 0 ? otherwise : undefined;
}

/** What a value that means no filter may have been meant as. */
function warningsOf(name: string, definition: Param, sent: string): string[] {
  const text = sent.trim();
  if (text === "" || !isIdle(definition, sent)) return [];
  if (definition.offValues.length === 0)
    return [`params.${name}: ${shown(text)} is no value of it; the default ${definition.defaultText ?? ""} was used`];
  if (definition.isSigned === true && isMinusOne(text))
    return [`params.${name}: ${shown(text)} was read as "no filter"; -1.01 filters`];
  return [];
}

function isGiven({ params }: DatasetDefinition, name: string | undefined, texts: ReadonlyMap<string, string>): boolean {
  const sent = name === undefined ? undefined : texts.get(name);
  const definition = params[name ?? ""];
  return sent !== undefined && definition !== undefined && !isIdle(definition, sent);
}

function checkTogether(
  dataset: DatasetDefinition,
  read: { given: Readonly<Record<string, Bound>> },
  problems: ErrorDetail[],
): void {
  const { range } = dataset;
  const from = range?.from === undefined ? undefined : valueOf(read.given[range.from]);
  const to = range ? valueOf(read.given[range.to]) : undefined;
  if (range && typeof from === "string" && typeof to === "string" && from > to) {
    problems.push({
      path: `params.${range.from}`,
      problem: `is after ${range.to}`,
      expected: `a moment at or before ${to}`,
      got: from,
    });
  }
  const complaint = dataset.check?.(new Set(Object.keys(read.given)));
  if (complaint !== undefined) problems.push({ path: "params", problem: complaint });
}

function valueOf(value: Bound | undefined): ParamValue | undefined {
  return value?.value;
}
