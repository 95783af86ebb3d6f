import { isMinusOne } from "./number-text.ts";
import { bind, type Bound, type BoundValue } from "./sql.ts";

/** What a parameter's text was read as, or why it could not be. */
export type Parsed =
  | { readonly ok: true; readonly value: ParamValue }
  | { readonly ok: false; readonly expected: string };
export type ParamValue = BoundValue;

type ParamKind = {
  readonly type: string;
  readonly engineType: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly parse: (text: string) => Parsed;
  /** How the value reads in the answer's `params`. */
  readonly echo: (value: ParamValue) => string;
  /** Which of OFF_WORDS mean nothing to it; all of them where it does not say. */
  readonly offWords?: readonly string[];
  /** A minimum, a maximum or a moment, of which any spelling of -1 means "no bound". */
  readonly isBound?: boolean;
  /** What a value that does not read is taken for in compatible mode: one that no row has, or the default. A mistake where absent. */
  readonly mistaken?: "nothing" | "default";
  /** A figure that can be below -1, so that -1 would be a bound of its own. */
  readonly isSigned?: boolean;
  /** How many items a value has that is a list now and then. */
  readonly items?: (value: ParamValue) => number;
};

/**
 * One parameter of a dataset: how its text is read, its other names, the values that mean "no filter",
 * its default (a wire text, applied and echoed when nothing was sent).
 */
export type Param = ParamKind & {
  readonly about: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  /** An empty text is among them; none where there is a default that is never off. */
  readonly offValues: readonly string[];
  readonly aliases: readonly string[];
  readonly defaultText: string | undefined;
  /** The parameter beside which there is no default. */
  readonly defaultUnless: string | undefined;
  /** The parameter beside which it is not required. */
  readonly requiredUnless: string | undefined;
  readonly choices: readonly string[] | undefined;
  /** A day or moment as of which there is an answer: none after today. */
  readonly isUntilToday: boolean;
  readonly describe: (about: string) => Param;
  readonly required: (unless?: string) => Param;
  readonly list: () => Param;
  /** May be off although it has a default, and by these values beside those of the whole service. */
  readonly off: (...values: string[]) => Param;
  /** Other spellings of values, in lower case, and what they mean. */
  readonly spelt: (spellings: Readonly<Record<string, string>>) => Param;
  readonly alias: (...names: string[]) => Param;
  readonly default: (text: string, unless?: string) => Param;
  readonly untilToday: () => Param;
};

/** A list has so many items at the most. */
export const MAX_LIST = 200;

/** What means "no filter" wherever there is one, in any letter case, beside an empty text and -1 for bounds. */
const OFF_WORDS: readonly string[] = ["ALL", "BOTH"];
const NO_BOUND: readonly string[] = ["-1.0", "-1"];

type Builders = "describe" | "required" | "list" | "off" | "spelt" | "alias" | "default" | "untilToday";
type Extra = Omit<Param, keyof ParamKind | Builders> & {
  /** It can be off beside its default. */
  readonly canBeOff: boolean;
};

/** One bound as text, and echoed as its value reads, where nothing else is said. */
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

/** Whether nothing stands in for it. */
export const isAlwaysRequired = ({ isRequired, requiredUnless }: Param): boolean =>
  isRequired && requiredUnless === undefined;

/** Whether a text, or every item of a list, says that the parameter is not meant. A choice of that name is one. */
export function isIdle(definition: Param, text: string): boolean {
  const asked = text.trim().toLowerCase();
  if (asked === "") return true;
  if (definition.isRequired || definition.choices?.some((one) => one.toLowerCase() === asked) === true) return false;
  const words = [...(definition.offWords ?? OFF_WORDS), ...definition.offValues];
  const isOff = (one: string): boolean =>
    words.some((word) => word.toLowerCase() === one.toLowerCase()) || (definition.isBound === true && isMinusOne(one));
  const items = definition.isList ? listItems(text) : [];
  return isOff(asked) || (items.length > 0 && items.every((item) => isOff(item)));
}

/** "a", "a,b" and "{a,b}" are lists; quotes around an item are taken off. */
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
    schema: { type: "string", description: `${kind.type}, or a comma-separated list of up to ${MAX_LIST}` },
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

/** How many wallets, tokens, markets or phrases a value asks for; none of a parameter that is no list, or of a few words. */
export function itemsOf({ isList, choices, items }: Param, value: ParamValue): number {
  if (items !== undefined) return items(value);
  return isList && choices === undefined && Array.isArray(value) ? value.length : 0;
}

/** The parsed value of a parameter, ready for SQL. */
export function bound(definition: Param, value: ParamValue): Bound {
  return bind(definition.engineType, value);
}
