import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import type { Param } from "../../src/definition/param.ts";
import { KNOWN } from "../promises/rows-for.ts";

const BY_TYPE: Readonly<Record<string, string>> = {
  "wallet address": KNOWN.wallet,
  "condition id": KNOWN.condition,
  "token id": KNOWN.token,
  "slug or ticker": "will-it-rain-1",
  "language code": "en",
  moment: "2026-06-01",
  number: "0.1",
  integer: "1",
  text: "rain",
  boolean: "True",
};

/** A value that the parameter accepts, and that some row has where possible. */
export function sampleOf(name: string, param: Param): string {
  if (name.includes("ticker")) return KNOWN.ticker;
  if (param.choices?.[0] !== undefined) return param.choices[0];
  return param.defaultText ?? BY_TYPE[param.type.replace(/^list of /, "")] ?? "1";
}

/** Wider parameters, by agent id, for datasets whose defaults exclude all rows that fit any table. */
const WIDE: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  584: {
    min_win_rate_15d: "0",
    max_win_rate_15d: "1",
    min_roi_15d: "-100000",
    min_total_trades_15d: "0",
    min_pnl_15d: "-100000",
  },
  1001: { status: "ALL" },
  585: { keywords: "body", as_of: "2026-06-02", hours_back: "48" },
  1007: { keywords: "body", start_time: "2026-06-01", end_time: "2026-06-01T02:00:00Z", interval: "5m" },
  596: { start_time: "2026-05-30", end_time: "2026-06-02", min_change_pct: "1", resolution: "5m" },
};

/**
 * Parameters with which the dataset answers: the required ones, and if it needs one of several, the first of its first
 * example that suffices.
 */
export function requiredParams(dataset: DatasetDefinition): Record<string, string> {
  const required = Object.keys(dataset.params).filter((name) => dataset.params[name]?.isRequired);
  const isEnough = dataset.check?.(new Set(required)) === undefined;
  const requested = isEnough ? [] : Object.keys(dataset.examples[0]?.params ?? {});
  const one = requested.find((name) => dataset.check?.(new Set([...required, name])) === undefined);
  const names = [...required, ...(one === undefined ? requested : [one])];
  const needed = names.flatMap((name) => {
    const param = dataset.params[name];
    return param === undefined ? [] : [[name, sampleOf(name, param)]];
  });
  return { ...Object.fromEntries(needed), ...WIDE[dataset.agentId] };
}
