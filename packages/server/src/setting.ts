import { isIP } from "node:net";
import { z } from "zod";

/** One environment variable: how its text is parsed, the expected form, its purpose. */
export type Setting<T = unknown> = {
  readonly schema: z.ZodType<T, string>;
  /** As written in the environment; absent if the setting may stay unset. */
  readonly default?: string;
  readonly expected: string;
  readonly meaning: string;
  /** How much of the value may be shown: all, only a URL's server, or nothing. */
  readonly shows: "all" | "server" | "nothing";
};

type More = { readonly meaning: string; readonly default?: string; readonly shows?: Setting["shows"] };

type Made<T, M extends More> = Setting<T> & M;

function setting<T, M extends More>(schema: z.ZodType<T, string>, expected: string, more: M): Made<T, M> {
  return { shows: "all", ...more, schema, expected };
}

export function textSetting<M extends More>(more: M): Made<string, M> {
  return setting(z.string().trim().min(1), "some text", more);
}

/** A secret that is sent in a header unchanged. */
export function token<M extends More>(more: M): Made<string, M> {
  const schema = z
    .string()
    .trim()
    .regex(/^[\u0021-\u007e]{1,4000}$/);
  return setting(schema, "a token of letters, digits and signs without blanks", { shows: "nothing" as const, ...more });
}

export function wholeNumber<M extends More>(min: number, max: number, more: M): Made<number, M> {
  const schema = z
    .string()
    .trim()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);
  return setting(schema, `a whole number from ${min} to ${max}`, more);
}

/** In Unix ms. */
export function timestamp<M extends More>(more: M): Made<number, M> {
  const schema = z.iso.datetime().transform((text) => Date.parse(text));
  return setting(schema, "a UTC time such as 2026-11-20T10:00:00Z", more);
}

/** An amount in USD with at most six decimal places, exact; empty for none. The minimum is in millionths. */
export function dollars<M extends More>(minMicro: number, more: M): Made<string, M> {
  const schema = z
    .string()
    .trim()
    .regex(/^\d{1,6}(\.\d{1,6})?$/)
    .refine((text) => microOf(text) === 0 || microOf(text) >= minMicro)
    .transform((text) => (microOf(text) === 0 ? "" : text));
  return setting(schema, `0, or an amount in USD of at least ${minMicro / 1_000_000}, such as 1.50`, more);
}

function microOf(usd: string): number {
  const [whole = "", places = ""] = usd.split(".");
  return Number(whole) * 1_000_000 + Number(places.padEnd(6, "0"));
}

export function oneOf<const T extends string, M extends More>(values: readonly [T, ...T[]], more: M): Made<T, M> {
  const schema = z.string().trim().pipe(z.enum(values)) as z.ZodType<T, string>;
  return setting(schema, `one of ${values.join(", ")}`, more);
}

/** A base address without trailing slash, of one of these protocols (written without the colon). */
export function address<M extends More>(protocols: readonly string[], more: M): Made<string, M> {
  const schema = z
    .string()
    .trim()
    .refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1)))
    .transform((value) => value.replace(/\/+$/, ""));
  const expected = `a URL that starts with ${protocols.map((name) => `${name}://`).join(" or ")}`;
  return setting(schema, expected, { shows: "server" as const, ...more });
}

/** A name in the form other systems use for their components. */
export function nameText<M extends More>(more: M): Made<string, M> {
  const schema = z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_-]{1,100}$/);
  return setting(schema, "a name of letters, digits, dashes and underscores", more);
}

/** One address, or several separated by commas; the value stays one text. */
export function addresses<M extends More>(protocols: readonly string[], more: M): Made<string, M> {
  const one = address(protocols, more);
  const schema = z
    .string()
    .transform((value) => value.split(",").map((each) => each.trim()))
    .refine((list) => list.every((each) => one.schema.safeParse(each).success))
    .transform((list) => list.map((each) => one.schema.parse(each)).join(","));
  return setting(schema, `${one.expected}, or several separated by commas`, { shows: "server" as const, ...more });
}

export function nameList<M extends More>(more: M): Made<readonly string[], M> {
  const schema = z
    .string()
    .transform((value) => value.split(",").map((name) => name.trim()))
    .refine((names) => names.every((name) => /^[a-z0-9-]+$/.test(name)));
  return setting(schema, "names of lower-case letters, digits and dashes, separated by commas", more);
}

/** IP addresses and CIDR ranges, except /0, which Fastify refuses: with it every caller could name its own address. */
export function addressList<M extends More>(more: M): Made<readonly string[], M> {
  const schema = z
    .string()
    .transform((value) => value.split(",").map((range) => range.trim()))
    .refine((ranges) => ranges.every(isRange));
  return setting(schema, "IP addresses or CIDR ranges such as 10.0.0.0/8, separated by commas", more);
}

function isRange(text: string): boolean {
  const [ip = "", bits, ...more] = text.split("/");
  const widest = { 0: 0, 4: 32, 6: 128 }[isIP(ip)] ?? 0;
  if (widest === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= widest);
}

export function privateKey<M extends More>(parse: (value: string) => string, more: M): Made<string, M> {
  const schema = z.string().transform((value, context) => {
    try {
      return parse(value);
    } catch {
      context.addIssue({ code: "custom", message: "not a key" });
      return z.NEVER;
    }
  });
  return setting(
    schema,
    "an RSA or Ed25519 private key in PEM (\\n escapes allowed), or the path of a file with one",
    more,
  );
}

/** A value as it may be printed. */
export function shown(kind: Setting, value: string): string {
  if (kind.shows === "all") return value;
  if (kind.shows === "nothing" || !URL.canParse(value)) return "(hidden)";
  const url = new URL(value);
  const isPlain = url.username === "" && url.password === "" && url.search === "";
  // Providers put keys into the path: only our own defaults are known to contain none.
  if (isPlain && (url.pathname === "/" || value === kind.default)) return value;
  return `${url.protocol}//${url.host}/(hidden)`;
}
