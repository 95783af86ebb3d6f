import { LAST_SECOND } from "../../definition/served.ts";
import { isoMicros } from "../../definition/timestamp.ts";
import type { Column, Layout } from "../../serving/layout.ts";
import { microsOf } from "../../definition/micros.ts";
import { identityOfValues, type Identity, type SortValues } from "../../serving/order.ts";
import { bytesOfToken } from "../../definition/bytes.ts";
import type { Keys } from "../compose.ts";

const AMOUNT = /^-?\d{1,12}(\.\d{1,6})?$/;
const INTEGER = /^(0|[1-9]\d{0,77})$/;
const MICROS = 1_000_000;

/** The position in the index for a cursor's order keys; undefined if they are of another form. */
export function identityOfKeys(layout: Layout, [timestamp, ...others]: Keys): Identity | undefined {
  const { timestamp: first, ties } = layout;
  const at = isoMicros(String(timestamp)) / (MICROS / first.perSecond);
  const values = others.map((key, index) => tieOf(ties[index]?.column, key));
  const known = values.filter((value) => value !== undefined);
  if (known.length !== ties.length || values.length !== ties.length) return undefined;
  if (!(at >= 0 && at <= LAST_SECOND * first.perSecond && Number.isSafeInteger(at))) return undefined;
  return identityOfValues(layout, [at, ...known] satisfies SortValues);
}

function tieOf(column: Column | undefined, key: string | number): number | Buffer | string | undefined {
  if (column === undefined) return undefined;
  const { kind, values, width } = column;
  const text = String(key);
  if (kind === "text") return text;
  if (kind === "money") return AMOUNT.test(text) ? String(microsOf(text)) : undefined;
  if (kind === "integer") return INTEGER.test(text) ? bytesOfToken(text) : undefined;
  if (values.length > 0) return values.includes(text) ? values.indexOf(text) : undefined;
  if (kind === "count") return Number.isSafeInteger(Number(key)) ? Number(key) : undefined;
  const bytes = Buffer.from(text.slice(2), "hex");
  return bytes.length === width ? bytes : undefined;
}
