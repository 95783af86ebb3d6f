import { hexOf } from "./filter.ts";
import { sql, type Sql } from "./sql.ts";

export type Format = "raw" | "typed";

/** The output an expression is rendered for: a JSON format, or typed columns (Arrow, Parquet). */
export type Target = Format | "columnar";

/** One field of a response: its wire type, how it is rendered from an engine expression, and its meaning. */
export type Column = {
  readonly wire: string;
  readonly json: Readonly<Record<Format, Record<string, unknown>>>;
  readonly render: (expression: Sql, target: Target) => Sql;
  readonly about: string;
  readonly unit?: string;
  readonly nullable: boolean;
  /** A nullable copy; `about` says when it is null. */
  readonly maybe: (about: string) => Column;
  readonly describe: (about: string) => Column;
};

type Kind = Pick<Column, "wire" | "json" | "render"> & { unit?: string };

function column(kind: Kind, about = "", nullable = false): Column {
  return {
    ...kind,
    about,
    nullable,
    maybe: (text) => column(kind, text, true),
    describe: (text) => column(kind, text, nullable),
  };
}

const same = (schema: Record<string, unknown>) => ({ raw: schema, typed: schema });
const asIs = (expression: Sql): Sql => expression;

/** Columnar formats would write an enumeration as its numbers. */
const asWords: Column["render"] = (expression, target) =>
  target === "columnar" ? sql`toString(${expression})` : expression;

/** Columnar formats would write a timestamp of whole seconds as a plain integer. */
const asTimestamp: Column["render"] = (expression, target) =>
  target === "columnar" ? sql`toDateTime64(${expression}, 6, 'UTC')` : expression;

/** A JSON string. */
export const text = (): Column => column({ wire: "text", json: same({ type: "string" }), render: asWords });

const ID: Kind = { wire: "id", json: same({ type: "string" }), render: asWords };

/** An identifier; a JSON string. */
export const id = (): Column => column(ID);

/** An identifier stored as bytes, shown as 0x-hex. */
export const hexId = (): Column => column({ ...ID, render: (bytes, target) => asWords(hexOf(bytes), target) });

/** An identifier stored as an integer, shown in decimal. */
export const tokenId = (): Column =>
  column({ ...ID, render: (integer, target) => asWords(sql`toString(${integer})`, target) });

/** A JSON boolean. */
export const flag = (): Column => column({ wire: "flag", json: same({ type: "boolean" }), render: asIs });

/** A JSON integer. */
export const int = (): Column => column({ wire: "int", json: same({ type: "integer" }), render: asIs });

/** A JSON number, from a decimal or a float. */
export const num = (unit?: string): Column => column(numKind(unit));

const numKind = (unit: string | undefined): Kind => ({
  wire: "num",
  json: same({ type: "number" }),
  render: asIs,
  ...(unit === undefined ? {} : { unit }),
});

/**
 * A JSON number from a float, rounded to twelve decimals to hide binary rounding noise, as of 0.1 + 0.2. For a figure
 * that can be tiny, such as a p-value, use num.
 */
export const real = (unit?: string): Column => column({ ...numKind(unit), render: shortened });

/** The value as `real` prints it, for conditions on displayed values. Adding 0 turns -0 into 0. */
export const shortened = (float: Sql): Sql => sql`(round(toFloat64(${float}), 12) + 0)`;

/** As `real`, for a figure of unknown magnitude: twelve significant digits. */
export const twelveDigits = (): Column =>
  column({ ...numKind(undefined), render: (float) => sql`toFloat64OrNull(printf('%.12g', ${float}))` });

/** A JSON number of cents, from an expression in USD. */
export const cents = (): Column =>
  column({ wire: "num", json: same({ type: "number" }), render: (usd) => sql`${usd} * 100`, unit: "cents" });

/** A decimal string of `places` decimals in raw, the same number in typed. */
export const dec = (places: number, unit?: string): Column =>
  column({
    wire: `dec(${places})`,
    json: {
      raw: { type: "string", pattern: `^-?\\d+${places > 0 ? `\\.\\d{${places}}` : ""}$` },
      typed: { type: "number" },
    },
    render: (expression, target) => (target === "raw" ? fixedPlaces(expression, places) : rounded(expression, places)),
    ...(unit === undefined ? {} : { unit }),
  });

/** An ISO-8601 UTC string; the expression's own precision decides the decimals of the seconds. */
export const iso = (): Column =>
  column({ wire: "iso", json: same({ type: "string", format: "date-time" }), render: asTimestamp });

/** A string that holds JSON in raw, the JSON itself in typed. `shape` is the schema of the JSON. */
export const json = (shape: Record<string, unknown>, wireText: (expression: Sql) => Sql = asIs): Column =>
  column({
    wire: "json string",
    json: { raw: { type: "string", contentMediaType: "application/json", contentSchema: shape }, typed: shape },
    render: (expression, target) => (target === "raw" ? wireText(expression) : expression),
  });

/** A JSON array of strings. */
export const list = (): Column =>
  column({ wire: "list", json: same({ type: "array", items: { type: "string" } }), render: asIs });

function literal(places: number): Sql {
  return { kind: "sql", text: String(Math.trunc(places)), values: [] };
}

function rounded(expression: Sql, places: number): Sql {
  return sql`round(CAST(${expression}, 'Nullable(Decimal(38, 12))'), ${literal(places)})`;
}

function fixedPlaces(expression: Sql, places: number): Sql {
  return sql`toDecimalString(${rounded(expression, places)}, ${literal(places)})`;
}
