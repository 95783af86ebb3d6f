import { isMinusOne, isWhole } from "./number-text.ts";
import { bind, type Bound, type BoundValue } from "./sql.ts";

/** The parsed value of a parameter's text, or what was expected. */
export type Parsed =
  | { readonly ok: true; readonly value: ParamValue }
  | { readonly ok: false; readonly expected: string };
export type ParamValue = BoundValue;

type ParamKind = {
  readonly type: string;
  readonly engineType: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly parse: (text: string) => Parsed;
  /** How the value is echoed in the response's `params`. */
  readonly echo: (value: ParamValue) => string;
  /** Which of OFF_WORDS mean "no filter" for it; all of them if absent. */
  readonly offWords?: readonly string[];
  /** A minimum, a maximum or a timestamp, for which any spelling of -1 means "no bound". */
  readonly isBound?: boolean;
  /** An invalid value's meaning in compatible mode: one that matches no row, or the default. An error if absent. */
  readonly mistaken?: "nothing" | "default";
  /** A figure that can be below -1, so that -1 is a valid bound. */
  readonly isSigned?: boolean;
  /** Number of items in a value that may be a list. */
  readonly items?: (value: ParamValue) => number;
};

/**
 * One parameter of a dataset: how its text is parsed, its aliases, the values that mean "no filter", and its default (a
 * wire text, applied and echoed when nothing was sent).
 */
export type Param = ParamKind & {
  readonly about: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  /** Includes the empty text; empty where there is a default that cannot be off. */
  readonly offValues: readonly string[];
  readonly aliases: readonly string[];
  readonly defaultText: string | undefined;
  /** The parameter whose presence disables the default. */
  readonly defaultUnless: string | undefined;
  /** The parameter whose presence makes this one optional. */
  readonly requiredUnless: string | undefined;
  readonly choices: readonly string[] | undefined;
  /** A day or timestamp as of which the answer stands: no answer after today. */
  readonly isUntilToday: boolean;
  readonly describe: (about: string) => Param;
  readonly required: (unless?: string) => Param;
  readonly list: () => Param;
  /** Allows it to be off although it has a default, and adds these off values to the general ones. */
  readonly off: (...values: string[]) => Param;
  /** Adds spellings of values, in lower case, with their meanings. */
  readonly spelt: (spellings: Readonly<Record<string, string>>) => Param;
  readonly alias: (...names: string[]) => Param;
  readonly default: (text: string, unless?: string) => Param;
  readonly untilToday: () => Param;
};

/** Maximum number of items in a list. */
export const MAX_LIST = 200;
/** A list in the schema of a parameter. */
export const LIST_TEXT = `comma-separated list of up to ${MAX_LIST} (the plan may allow fewer)`;

/** Words that mean "no filter" wherever one is optional, in any letter case, like an empty text, and -1 for bounds. */
const OFF_WORDS: readonly string[] = ["ALL", "BOTH"];
const NO_BOUND: readonly string[] = ["-1.0", "-1"];

type Builders = "describe" | "required" | "list" | "off" | "spelt" | "alias" | "default" | "untilToday";
type Extra = Omit<Param, keyof ParamKind | Builders> & {
  /** It can be off although it has a default. */
  readonly canBeOff: boolean;
};

/** A parameter kind; if absent, its engine type is String and its echo the value's text. */
type SaidKind = Omit<ParamKind, "engineType" | "echo"> & Partial<Pick<ParamKind, "engineType" | "echo">>;

export function param(said: SaidKind, extra: Partial<Extra> = {}): Param {
  const kind: ParamKind = { engineType: "String", echo: String, ...said };
  const settled: Extra = {
    about: "",
    isRequired: false,
    isList: false,
    offValues: [],
    aliases: [],
    defaultText: undefined,
    defaultUnless: undefined,
    requiredUnless: undefined,
    choices: undefined,
    isUntilToday: false,
    canBeOff: false,
    ...extra,
  };
  const { canBeOff, ...known } = settled;
  const next = (change: Partial<Extra>): Param => param(kind, { ...settled, ...change });
  return {
    ...kind,
    ...known,
    offValues: known.defaultText !== undefined && !canBeOff ? [] : ["", ...offValuesOf(kind, known)],
    describe: (about) => next({ about }),
    required: (requiredUnless) => next({ isRequired: true, requiredUnless }),
    list: () => param(listOf(kind), { ...settled, isList: true }),
    off: (...values) => next({ canBeOff: true, offValues: [...settled.offValues, ...values] }),
    spelt: (spellings) => {
      const meant = new Map(Object.entries(spellings));
      return param({ ...kind, parse: (text) => kind.parse(meant.get(text.trim().toLowerCase()) ?? text) }, settled);
    },
    alias: (...names) => next({ aliases: [...settled.aliases, ...names] }),
    default: (text, unless) => next({ defaultText: text, defaultUnless: unless }),
    untilToday: () => next({ isUntilToday: true }),
  };
}

function offValuesOf(kind: ParamKind, { offValues, isRequired }: Pick<Param, "offValues" | "isRequired">): string[] {
  if (isRequired) return [...offValues];
  return [...(kind.offWords ?? OFF_WORDS), ...(kind.isBound === true ? NO_BOUND : []), ...offValues];
}

/** Whether no other parameter can replace it. */
export const isAlwaysRequired = ({ isRequired, requiredUnless }: Param): boolean =>
  isRequired && requiredUnless === undefined;

/** Whether a text, or every item of a list, turns the parameter off. A word among its choices does not. */
export function isIdle(definition: Param, text: string): boolean {
  const requested = text.trim().toLowerCase();
  if (requested === "") return true;
  if (definition.isRequired || definition.choices?.some((one) => one.toLowerCase() === requested) === true)
    return false;
  const words = [...(definition.offWords ?? OFF_WORDS), ...definition.offValues];
  const isBoundOff = (one: string): boolean => isMinusOne(one) || (words.includes("0") && isWhole(one, 0));
  const isOff = (one: string): boolean =>
    words.some((word) => word.toLowerCase() === one.toLowerCase()) || (definition.isBound === true && isBoundOff(one));
  const items = definition.isList ? listItems(text) : [];
  return isOff(requested) || (items.length > 0 && items.every((item) => isOff(item)));
}

/** Splits "a", "a,b" and "{a,b}" into items; quotes around an item are removed. */
export function listItems(text: string): string[] {
  const inner = /^\{([\s\S]*)\}$/.exec(text.trim())?.[1] ?? text;
  return inner
    .split(",")
    .map((item) => item.trim().replace(/^"([\s\S]*)"$/, "$1"))
    .filter((item) => item !== "");
}

function listOf(kind: ParamKind): ParamKind {
  return {
    ...kind,
    type: `list of ${kind.type}`,
    engineType: `Array(${kind.engineType})`,
    schema: { type: "string", description: `${kind.type}, or a ${LIST_TEXT}` },
    parse: (text) => {
      const items = listItems(text);
      if (items.length === 0) return { ok: false, expected: `at least one ${kind.type}` };
      if (items.length > MAX_LIST) return { ok: false, expected: `at most ${MAX_LIST} values` };
      const values: (string | number | bigint)[] = [];
      for (const item of items) {
        const parsed = kind.parse(item);
        if (!parsed.ok) return parsed;
        if (typeof parsed.value === "object" || typeof parsed.value === "boolean")
          return { ok: false, expected: kind.type };
        values.push(parsed.value);
      }
      return { ok: true, value: values };
    },
    echo: (value) =>
      Array.isArray(value) ? value.map((item: BoundValue) => kind.echo(item)).join(",") : kind.echo(value),
  };
}

/** Number of wallets, tokens, markets or phrases in a value; 0 for a parameter that is no list, or has choices. */
export function itemsOf({ isList, choices, items }: Param, value: ParamValue): number {
  if (items !== undefined) return items(value);
  return isList && choices === undefined && Array.isArray(value) ? value.length : 0;
}

/** The parsed value of a parameter, ready for SQL. */
export function bound(definition: Param, value: ParamValue): Bound {
  return bind(definition.engineType, value);
}
