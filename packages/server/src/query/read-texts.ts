import type { DatasetDefinition } from "../definition/dataset.ts";
import type { ErrorDetail } from "../definition/errors.ts";
import type { KeyMode } from "../definition/vocabulary.ts";
import { shown } from "./refuse.ts";
import { closest, distance } from "fastest-levenshtein";

/** How undocumented input is handled: `unknownIs` for names only, compatible mode for values too. */
export type Reading = { readonly unknownIs: "reject" | "warn"; readonly mode: KeyMode };

/** Mistakes found in a request, and warnings for the caller. */
export type Findings = { readonly problems: ErrorDetail[]; readonly warnings: string[] };

/** The texts sent, keyed by canonical parameter name. */
export function readTexts(
  dataset: DatasetDefinition,
  sent: Readonly<Record<string, unknown>>,
  { unknownIs, mode }: Reading,
  { problems, warnings }: Findings,
): Map<string, string> {
  const names = canonicalNames(dataset);
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(sent)) {
    const canonical = names.get(key);
    const text = typeof value === "string" || mode === "strict" ? value : textOf(value);
    if (canonical === undefined) {
      const detail = unknownName(key, dataset, names);
      if (unknownIs === "warn" || mode === "compatible")
        warnings.push(`${detail.path}: ${detail.problem} and was ignored; ${detail.expected}`);
      else problems.push(detail);
    } else if (text === null && mode === "compatible") {
      warnings.push(`params.${key}: null was taken as not sent`);
    } else if (typeof text !== "string") {
      problems.push({
        path: `params.${key}`,
        problem: "is not a string",
        expected: 'a JSON string, also for a number or boolean: "5", "true"',
        got: shown(value),
      });
    } else if (texts.has(canonical) && texts.get(canonical) !== text) {
      problems.push({
        path: `params.${key}`,
        problem: `is the same parameter as ${Object.keys(sent).find((name) => names.get(name) === canonical)} with another value`,
        expected: "one of the two",
        got: shown(value),
      });
    } else {
      texts.set(canonical, text);
      if (text !== value) warnings.push(`params.${key}: ${shown(value)} is not a string and was read as its text`);
    }
  }
  return texts;
}

/** A number or boolean as text, a list of them as a list of texts; others unchanged. */
function textOf(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!Array.isArray(value)) return value;
  const items = value.map((one) => (typeof one === "string" ? one : textOf(one)));
  return items.every((one) => typeof one === "string") ? items.join(",") : value;
}

const namesOf = new WeakMap<DatasetDefinition["params"], ReadonlyMap<string, string>>();

/** Maps every accepted parameter name to its canonical name. */
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

function unknownName(
  key: string,
  dataset: DatasetDefinition,
  names: ReadonlyMap<string, string>,
): ErrorDetail & { readonly expected: string } {
  const known = Object.keys(dataset.params);
  const nearest = nearestName(key, [...names.keys()]);
  return {
    path: `params.${shown(key)}`,
    problem: `is not a parameter of ${dataset.name}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
    expected: `one of ${known.join(", ")}; a key in compatible mode ignores others`,
  };
}

const LONGEST = 64;
/** A third of a name's letters may differ, or two of a short name, as in sied for side. */
const differing = (length: number): number => Math.max(length > 3 ? 2 : 1, length / 3);

/** The known name that a caller most likely meant; undefined if none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const text = name.slice(0, LONGEST).toLowerCase();
  // A part of a name, such as wallet for proxy_wallet, is close however long the rest is.
  const part = known.find((one) => text.length > 2 && one.split("_").includes(text));
  if (part !== undefined) return part;
  const nearest = closest(text, [...known]);
  return distance(text, nearest) <= differing(Math.max(text.length, nearest.length)) ? nearest : undefined;
}
