import type { Column } from "../../../definition/column.ts";
import type { Row } from "../../../definition/dataset.ts";

const MOMENT = "2026-11-20T10:00:00Z";

/** Values of fields that are the same thing wherever they are. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/wallet|address|stakeholder/, `0x${"7b".repeat(20)}`],
  [/condition|market_id|index_set/, `0x${"c0".repeat(32)}`],
  [/transaction_hash/, `0x${"a1".repeat(32)}`],
  [/token_id/, "71321045679252212594626385532706912750332728571942532289631379312455583992563"],
  [/ticker/, "KXFED-26DEC-T4.00"],
  [/slug/, "fed-rate-cut-in-december"],
  [/question|title|content/, "Will the Fed cut rates in December?"],
  [/outcome|side/, "Yes"],
  [/url|source$/, "https://example.org"],
  [/category/, "Economy / Fed"],
  [/lang/, "en"],
];

/** A row made up from the columns' types, as the raw format would give it. */
export function sampleRow(row: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, column]) => [name, valueOf(name, column)]));
}

function valueOf(name: string, { wire, unit, json }: Column): unknown {
  const places = /^dec\((\d+)\)$/.exec(wire)?.[1];
  if (places !== undefined) return amountOf(unit).toFixed(Number(places));
  if (wire === "flag") return false;
  if (wire === "int") return 12;
  if (wire === "num") return amountOf(unit);
  if (wire === "iso") return MOMENT;
  if (wire === "list") return [textOf(name)];
  if (wire === "json string") return JSON.stringify(fromSchema(json.typed));
  return textOf(name);
}

function textOf(name: string): string {
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? "…";
}

function amountOf(unit: string | undefined): number {
  if (unit === "cents") return 52;
  if (unit === undefined || /0 to 1$|fraction|per share|per contract/.test(unit)) return 0.52;
  return unit === "percent" ? 12.5 : 1250.5;
}

function fromSchema(schema: unknown): unknown {
  const { type, items, properties } = schema as { type?: unknown; items?: unknown; properties?: object };
  if (type === "array") return [fromSchema(items)];
  if (type === "object") {
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, one]) => [name, fromSchema(one)]));
  }
  const kind = Array.isArray(type) ? type[0] : type;
  return kind === "integer" ? 12 : kind === "number" ? 0.52 : kind === "boolean" ? false : "…";
}
