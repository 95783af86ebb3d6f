import { nearestName } from "./nearest-name.ts";
import type { DatasetDefinition } from "../definition/dataset.ts";
import type { ErrorDetail } from "../definition/errors.ts";
import { bound, listItems, type Param, type ParamValue } from "../definition/param.ts";
import type { Bound } from "../definition/sql.ts";
import { refusal, shown } from "./refuse.ts";

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
  return { ...read, warnings: warnings.slice(0, 50) };
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
  const nearest = nearestName(key, [...names.keys()]);
  return {
    path: `params.${shown(key)}`,
    problem: `is not a parameter of ${dataset.name}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
    expected: `one of ${known.join(", ")}`,
  };
}

function readAll(dataset: DatasetDefinition, texts: Map<string, string>, problems: ErrorDetail[]) {
  const given: Record<string, Bound> = {};
  const echo: Record<string, string> = {};
  for (const [name, definition] of Object.entries(dataset.params)) {
    const sent = texts.get(name);
    const text = textOf(definition, sent, isGiven(dataset, definition.defaultUnless, texts));
    if (text === undefined) {
      if (definition.isRequired)
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
  return { given, echo };
}

/** What is to be read; undefined where there is no such filter. */
function textOf(definition: Param, sent: string | undefined, hasNoDefault: boolean): string | undefined {
  const otherwise = hasNoDefault ? undefined : definition.defaultText;
  if (sent === undefined) return otherwise;
  if (isOff(definition, sent)) return undefined;
  return sent.trim() === "" ? otherwise : sent;
}

function isGiven({ params }: DatasetDefinition, name: string | undefined, texts: ReadonlyMap<string, string>): boolean {
  const sent = name === undefined ? undefined : texts.get(name);
  const definition = params[name ?? ""];
  return sent !== undefined && sent.trim() !== "" && definition !== undefined && !isOff(definition, sent);
}

function isOff(definition: Param, text: string): boolean {
  const asked = text.trim().toLowerCase();
  if (definition.offValues.some((off) => off.toLowerCase() === asked)) return true;
  if (!definition.isList) return false;
  const items = listItems(text);
  return (
    items.length > 0 &&
    items.every((item) => definition.offValues.some((off) => off !== "" && off.toLowerCase() === item.toLowerCase()))
  );
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
