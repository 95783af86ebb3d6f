import { parseTimestamp } from "./timestamp.ts";
import { roundedTo } from "./number-text.ts";
import { LIST_TEXT, listItems, MAX_LIST, param, type Param, type Parsed } from "./param.ts";
import { MAX_WORDS, wordsOf } from "./filter.ts";

const ok = (value: string | number | boolean): Parsed => ({ ok: true, value });
const no = (expected: string): Parsed => ({ ok: false, expected });

function matching(
  type: string,
  pattern: RegExp,
  expected: string,
  normalise: (text: string) => string = (text) => text,
): Param {
  return param({
    type,
    schema: { type: "string", pattern: pattern.source },
    parse: (text) => (pattern.test(text.trim()) ? ok(normalise(text.trim())) : no(expected)),
    mistaken: "nothing",
  });
}

const lower = (text: string): string => text.toLowerCase();

/** A wallet (Polymarket proxy wallet): 0x and 40 hex digits; bound as lower-case text. */
export const wallet = (): Param =>
  matching("wallet address", /^0x[0-9a-f]{40}$/i, "0x followed by 40 hexadecimal digits", lower).alias(
    "proxy_wallet",
    "wallet",
    "wallet_address",
    "wallet_proxy",
    "address",
  );

/** A condition id: 0x and 64 hex digits; bound as lower-case text. */
export const condition = (): Param =>
  matching("condition id", /^0x[0-9a-f]{64}$/i, "0x followed by 64 hexadecimal digits", lower).alias(
    "condition_ids",
    "market",
    "market_id",
  );

/** A CTF token id: a decimal of at most 78 digits below 2^256; bound as decimal text. */
export const token = (): Param =>
  param({
    type: "token id",
    schema: { type: "string", pattern: "^[0-9]{1,78}$" },
    parse: (text) => {
      const trimmed = text.trim();
      if (!/^[0-9]{1,78}$/.test(trimmed) || BigInt(trimmed) >= 1n << 256n) return no("a decimal integer below 2^256");
      return ok(BigInt(trimmed).toString());
    },
    mistaken: "nothing",
  }).alias("asset_id");

const MAX_TEXT = 200;

function readText(text: string): Parsed {
  if (text.length > MAX_TEXT || !text.isWellFormed() || text.includes("\u0000"))
    return no(`well-formed text of at most ${MAX_TEXT} characters`);
  return wordsOf(text).length > MAX_WORDS ? no(`text of at most ${MAX_WORDS} words`) : ok(text.trim());
}

/** Free text of up to 200 characters and 50 words, e.g. words of a title. */
export const words = (): Param =>
  param({
    type: "text",
    schema: { type: "string", maxLength: MAX_TEXT },
    parse: readText,
    offWords: ["ALL"],
  });

const SLUG = /^[\p{L}\p{N}][\p{L}\p{N}._:%+-]{0,255}$/u;

const slugWritten = (write: (text: string) => string): Param =>
  param({
    type: "slug or ticker",
    schema: { type: "string", minLength: 1, maxLength: 256 },
    parse: (text) =>
      SLUG.test(text.trim()) ? ok(write(text.trim())) : no("letters, digits and . _ : % + - of at most 256 characters"),
    mistaken: "nothing",
  });

/** A Polymarket slug: letters, digits and `. _ : % + -`, in any letter case as upstream. */
export const slug = (): Param => slugWritten(lower);

/** A Kalshi ticker, likewise; bound in upper case, as the venue writes them. */
export const kalshiTicker = (): Param => slugWritten((text) => text.toUpperCase());

/** Number of slugs in a list; 0 for a single slug or text. */
function slugsIn(text: string): number {
  const items = listItems(text);
  return items.length >= 2 && items.every((item) => SLUG.test(item)) ? items.length : 0;
}

/** A slug, a list of slugs, or words; bound as the text that was sent. */
export const slugsOrWords = (): Param =>
  param({
    type: "slug, list of slugs or text",
    schema: {
      type: "string",
      description: `slug, ${LIST_TEXT}, or text of at most ${MAX_TEXT} characters`,
    },
    parse: (text) => {
      const count = slugsIn(text);
      if (count === 0) return readText(text);
      return count > MAX_LIST ? no(`at most ${MAX_LIST} slugs`) : ok(text.trim());
    },
    offWords: ["ALL"],
    items: (value) => slugsIn(String(value)),
  });

const NUMBER = "^-?[0-9]*\\.?[0-9]+([eE][+-]?[0-9]{1,4})?$";

/** A decimal number within bounds, rounded to 6 decimals and bound exactly as text. */
export const decimal = (min: number, max: number): Param => {
  const expected = `a number from ${min} to ${max}`;
  return param({
    type: "number",
    // A Decimal64(6) has twelve digits before the point.
    engineType: max < 1e12 ? "Decimal64(6)" : "Decimal128(6)",
    schema: { type: "string", pattern: NUMBER, description: expected },
    parse: (text) => {
      const read = roundedTo(text, 6);
      const value = Number(read?.text);
      return read && value >= min && value <= max ? ok(read.text) : no(expected);
    },
    isBound: true,
    isSigned: min < -1,
  });
};

/** A whole number within bounds, also written 50.0 or 1e3. */
export const whole = (min: number, max: number): Param => {
  const expected = `a whole number from ${min} to ${max}`;
  return param({
    type: "integer",
    engineType: "Int64",
    schema: { type: "string", pattern: NUMBER, description: expected },
    parse: (text) => {
      const read = roundedTo(text, 0);
      const value = Number(read?.text);
      const isWithin = read?.isExact === true && value >= min && value <= max;
      return isWithin ? ok(value) : no(expected);
    },
    isBound: true,
  });
};

/** A lower bound on a figure that is never below `bottom`: smaller values are accepted, as every row meets them. */
export const minOf = ({ parse, ...kind }: Param, bottom = 0): Param =>
  param({
    ...kind,
    parse: (text) => {
      const read = roundedTo(text, 6);
      return parse(read !== undefined && Number(read.text) < bottom ? String(bottom) : text);
    },
  });

/** A probability, 0 to 1, also as 1e-9; bound as a float. */
export const chance = (): Param => {
  const expected = "a number from 0 to 1, e.g. 0.01 or 1e-9";
  return param({
    type: "probability",
    engineType: "Float64",
    schema: { type: "string", pattern: "^[0-9]*\\.?[0-9]+([eE][+-]?[0-9]{1,3})?$", description: expected },
    parse: (text) => {
      const trimmed = text.trim();
      const value = Number(trimmed);
      const isChance = /^[0-9]*\.?[0-9]+([eE][+-]?[0-9]{1,3})?$/.test(trimmed) && value >= 0 && value <= 1;
      return isChance ? ok(value) : no(expected);
    },
    isBound: true,
  });
};

const choosing = (choices: readonly string[], parse: (text: string) => Parsed): Param =>
  param({ type: "choice", schema: { type: "string", enum: choices }, parse, mistaken: "nothing" }, { choices });

/** One of a few words, in any letter case; bound as the canonical spelling. */
export const choice = (...choices: readonly string[]): Param =>
  choosing(choices, (text) => {
    const found = choices.find((one) => one.toLowerCase() === text.trim().toLowerCase());
    return found === undefined ? no(`one of ${choices.join(", ")}`) : ok(found);
  });

/** A sort column or direction; in compatible mode an unknown word means the default, because it filters no rows. */
export const sorting = (...choices: readonly string[]): Param => {
  const kind = choice(...choices);
  return param({ ...kind, mistaken: "default" }, { choices });
};

/** One of a few durations, case-sensitive: a month is 1M and a minute 1m. */
export const timeLength = (...choices: readonly string[]): Param =>
  choosing(choices, (text) => {
    const requested = text.trim();
    if (choices.includes(requested)) return ok(requested);
    const meant = choices.find((one) => one.toLowerCase() === requested.toLowerCase());
    const hint =
      requested.endsWith("M") && meant?.endsWith("m") ? "months are not supported" : meant && `did you mean ${meant}?`;
    return no(`one of ${choices.join(", ")}${hint === undefined ? "" : `; ${hint}`}`);
  });

/** "True" or "False" in any letter case. */
export const bool = (): Param =>
  param(
    {
      type: "boolean",
      engineType: "Bool",
      schema: { type: "string", enum: ["True", "False"] },
      parse: (text) => {
        const requested = text.trim().toLowerCase();
        return requested === "true" ? ok(true) : requested === "false" ? ok(false) : no("True or False");
      },
      echo: (value) => (value === true ? "True" : "False"),
      mistaken: "nothing",
    },
    { choices: ["True", "False"] },
  ).off();

/**
 * A timestamp: Unix seconds, Unix milliseconds (13 digits), ISO-8601 or YYYY-MM-DD, within 2010–2100. Bound as
 * DateTime64(6) text. `edge` says whether a bare day means its start or its end.
 */
export const dateTime = (edge: "start" | "end" = "start"): Param =>
  param({
    type: "moment",
    engineType: "DateTime64(6, 'UTC')",
    schema: { type: "string", description: "Unix seconds, Unix milliseconds, ISO-8601 or YYYY-MM-DD" },
    parse: (text) => {
      const read = parseTimestamp(text, edge);
      return read.ok ? ok(read.engineText) : no(read.expected);
    },
    echo: (value) =>
      `${String(value)
        .replace(" ", "T")
        .replace(/\.?0+$/, "")}Z`,
    isBound: true,
  });

/** A UTC day, given as a day or any timestamp within it (see `dateTime`). Bound as Date text, YYYY-MM-DD. */
export const day = (): Param =>
  param({
    type: "day",
    engineType: "Date",
    schema: { type: "string", description: "YYYY-MM-DD, or a timestamp (Unix seconds, Unix milliseconds, ISO-8601)" },
    parse: (text) => {
      const read = parseTimestamp(text, "start");
      return read.ok ? ok(read.engineText.slice(0, 10)) : no(read.expected);
    },
    isBound: true,
  });
