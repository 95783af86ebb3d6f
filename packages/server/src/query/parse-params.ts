import type { DatasetDefinition } from "../definition/dataset.ts";
import type { ErrorDetail } from "../definition/errors.ts";
import { bound, isIdle, type Param, type ParamValue, listItems, type Parsed } from "../definition/param.ts";
import type { KeyMode } from "../definition/vocabulary.ts";
import { isMinusOne } from "../definition/number-text.ts";
import type { Bound } from "../definition/sql.ts";
import { readTexts, type Findings, type Reading } from "./read-texts.ts";
import { refusal, shown } from "./refuse.ts";

/** Maximum number of mistakes reported: more than 50 say nothing new. */
export const MAX_WARNINGS = 50;

export type ReadParams = {
  /** Bound values by canonical name. */
  readonly given: Readonly<Record<string, Bound>>;
  /** The filters as applied, by canonical name, defaults included. */
  readonly echo: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /** A requested value cannot exist, so no row matches. */
  readonly isNowhere: boolean;
};

/** Reads a dataset's parameters. Reports all mistakes at once. */
export function parseParams(
  dataset: DatasetDefinition,
  sent: Readonly<Record<string, unknown>>,
  unknownIs: Reading["unknownIs"],
  { mode = "strict", nowMs = Date.now() }: { readonly mode?: KeyMode | undefined; readonly nowMs?: number } = {},
): ReadParams {
  const findings: Findings = { problems: [], warnings: [] };
  const { problems, warnings } = findings;
  const texts = readTexts(dataset, sent, { unknownIs, mode }, findings);
  const read = readAll(dataset, texts, mode, findings);
  problems.push(...afterToday(dataset, read.given, nowMs));
  if (problems.length === 0 && !read.isNowhere) checkTogether(dataset, read, problems);
  if (problems.length > 0) throw refusal("INVALID_PARAMS", problems.slice(0, 50));
  warnings.push(...precedenceWarnings(dataset, read.given));
  return { ...read, warnings: warnings.slice(0, MAX_WARNINGS) };
}

function readAll(dataset: DatasetDefinition, texts: Map<string, string>, mode: KeyMode, findings: Findings) {
  const { problems, warnings } = findings;
  const given: Record<string, Bound> = {};
  const echo: Record<string, string> = {};
  let isNowhere = false;
  for (const [name, definition] of Object.entries(dataset.params)) {
    const sent = texts.get(name);
    const instead = isGiven(dataset, definition.defaultUnless, texts) ? definition.defaultUnless : undefined;
    const defaultText = instead === undefined ? definition.defaultText : undefined;
    if (sent !== undefined) warnings.push(...warningsOf(name, definition, sent, instead));
    const text = textOf(definition, sent, defaultText);
    if (text === undefined) {
      if (definition.isRequired && !isGiven(dataset, definition.requiredUnless, texts))
        problems.push({ path: `params.${name}`, problem: "is required", expected: definition.type });
      else if (sent !== undefined && (sent.trim() !== "" || defaultText !== undefined)) echo[name] = sent.trim();
      continue;
    }
    const { parsed, warning, isNothing, isAbsent }: Forgiven =
      mode === "strict" ? { parsed: definition.parse(text) } : forgiven(definition, text);
    if (warning !== undefined) warnings.push(`params.${name}: ${warning}`);
    if (isAbsent === true) continue;
    if (isNothing === true) {
      isNowhere = true;
      echo[name] = shown(text);
    } else if (parsed.ok) {
      given[name] = bound(definition, parsed.value);
      echo[name] = definition.echo(parsed.value);
    } else {
      problems.push({ path: `params.${name}`, problem: "is not valid", expected: parsed.expected, got: shown(text) });
    }
  }
  return { given, echo, isNowhere };
}

/** The value to read; undefined if it means no filter. */
function textOf(definition: Param, sent: string | undefined, defaultText: string | undefined): string | undefined {
  if (sent === undefined) return defaultText;
  if (!isIdle(definition, sent)) return sent;
  return definition.offValues.length === 0 ? defaultText : undefined;
}

/** Warns about a value read as "no filter" that may have been meant otherwise; `instead` disables the default. */
function warningsOf(name: string, definition: Param, sent: string, instead: string | undefined): string[] {
  const text = sent.trim();
  if (text === "" || !isIdle(definition, sent)) return [];
  if (definition.offValues.length === 0) {
    const meaning =
      instead === undefined
        ? `the default ${definition.defaultText ?? ""} was used`
        : `${instead} takes precedence over the default`;
    return [`params.${name}: ${shown(text)} is not a valid value; ${meaning}`];
  }
  if (definition.isSigned === true && isMinusOne(text))
    return [`params.${name}: ${shown(text)} was read as "no filter"; -1.01 filters`];
  return [];
}

/** Warns about parameters that another one replaces: names of ids, and durations of a range with a start. */
function precedenceWarnings({ named, range }: DatasetDefinition, given: ReadParams["given"]): string[] {
  const durations = [range?.hours, ...Object.keys(range?.ago ?? {})].map((name) => [name, range?.from] as const);
  return [[named?.by, named?.param] as const, ...durations].flatMap(([name, by]) =>
    name !== undefined && by !== undefined && given[name] !== undefined && given[by] !== undefined
      ? [`params.${name}: was ignored, because ${by} takes precedence`]
      : [],
  );
}

/** Warns about or refuses a day (UTC) that lies in the future. */
function afterToday({ params }: DatasetDefinition, given: ReadParams["given"], nowMs: number): ErrorDetail[] {
  const days = Object.entries(given).filter(([name]) => params[name]?.isUntilToday);
  if (days.length === 0) return [];
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return days
    .map(([name, { value }]) => ({ path: `params.${name}`, got: String(value).slice(0, 10) }))
    .filter(({ got }) => got > today)
    .map(({ path, got }) => {
      const expected = `a day up to today, ${today} (UTC)`;
      return { path, problem: "is in the future", expected, got };
    });
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
  const ends = dataset.range ?? dataset.ordered;
  const from = ends?.from === undefined ? undefined : valueOf(read.given[ends.from]);
  const to = ends ? valueOf(read.given[ends.to]) : undefined;
  if (ends && typeof from === "string" && typeof to === "string" && from > to) {
    problems.push({
      path: `params.${ends.from}`,
      problem: `is after ${ends.to}`,
      expected: `a time at or before ${to}`,
      got: from,
    });
  }
  const complaint = dataset.check?.(new Set(Object.keys(read.given)));
  if (complaint !== undefined) problems.push({ path: "params", problem: complaint });
}

function valueOf(value: Bound | undefined): ParamValue | undefined {
  return value?.value;
}

/** A value as compatible mode accepts it: `isNothing` if no row can have it, `isAbsent` if treated as not sent. */
export type Forgiven = {
  readonly parsed: Parsed;
  readonly warning?: string;
  readonly isNothing?: boolean;
  readonly isAbsent?: boolean;
};

/** Reads a value; an unreadable one is handled according to its parameter's kind, or left unchanged. */
export function forgiven(definition: Param, text: string): Forgiven {
  const parsed = definition.parse(text);
  const { mistaken, defaultText } = definition;
  if (parsed.ok || mistaken === undefined) return { parsed };
  const why = `${shown(text)} is not valid (${parsed.expected})`;
  if (mistaken === "default") {
    if (defaultText === undefined) return { parsed, isAbsent: true, warning: `${why} and was ignored` };
    return { parsed: definition.parse(defaultText), warning: `${why}; the default ${defaultText} was used` };
  }
  if (!definition.isList) return { parsed, isNothing: true, warning: `${why}, so no row matches` };
  const items = listItems(text);
  const good = items.filter((item) => definition.parse(item).ok);
  // Every item is valid; only the list is too long.
  if (good.length === items.length && items.length > 0) return { parsed };
  if (good.length === 0) return { parsed, isNothing: true, warning: `${why}, so no row matches` };
  const bad = items.filter((item) => !good.includes(item));
  return {
    parsed: definition.parse(good.join(",")),
    warning: `${shown(bad.join(", "))} is not valid and was left out`,
  };
}
