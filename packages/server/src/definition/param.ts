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
};

/**
 * One parameter of a dataset: how its text is read, its other names, the values that mean "no filter",
 * its default (a wire text, applied and echoed when nothing was sent).
 */
export type Param = ParamKind & {
  readonly about: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  /** An empty text is among them, but where there is a default and none of its own: there it means the default. */
  readonly offValues: readonly string[];
  readonly aliases: readonly string[];
  readonly defaultText: string | undefined;
  /** The parameter beside which there is no default. */
  readonly defaultUnless: string | undefined;
  readonly choices: readonly string[] | undefined;
  readonly describe: (about: string) => Param;
  readonly required: () => Param;
  readonly list: () => Param;
  readonly off: (...values: string[]) => Param;
  readonly alias: (...names: string[]) => Param;
  readonly default: (text: string, unless?: string) => Param;
};

/** A list has so many items at the most. */
export const MAX_LIST = 200;

type Extra = Omit<Param, keyof ParamKind | "describe" | "required" | "list" | "off" | "alias" | "default">;

export function param(kind: ParamKind, extra: Partial<Extra> = {}): Param {
  const settled: Extra = {
    about: "",
    isRequired: false,
    isList: false,
    offValues: [],
    aliases: [],
    defaultText: undefined,
    defaultUnless: undefined,
    choices: undefined,
    ...extra,
  };
  const next = (change: Partial<Extra>): Param => param(kind, { ...settled, ...change });
  const isNeverOff = settled.defaultText !== undefined && settled.offValues.length === 0;
  return {
    ...kind,
    ...settled,
    offValues: isNeverOff ? [] : ["", ...settled.offValues],
    describe: (about) => next({ about }),
    required: () => next({ isRequired: true }),
    list: () => param(listOf(kind), { ...settled, isList: true }),
    off: (...values) => next({ offValues: [...settled.offValues, ...values] }),
    alias: (...names) => next({ aliases: [...settled.aliases, ...names] }),
    default: (text, unless) => next({ defaultText: text, defaultUnless: unless }),
  };
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

/** The parsed value of a parameter, ready for SQL. */
export function bound(definition: Param, value: ParamValue): Bound {
  return bind(definition.engineType, value);
}
