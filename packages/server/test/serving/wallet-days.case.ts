import type { DatasetDefinition } from "../../src/definition/dataset.ts";
import { polymarketPnl } from "../../src/datasets/polymarket-pnl.ts";
import { walletEquityCurve } from "../../src/datasets/wallet-equity-curve.ts";
import { walletLifetime } from "../../src/datasets/wallet-lifetime.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { servedWalletDays } from "../../src/tables/served-wallet-days.ts";
import { walletDays } from "../../src/tables/wallet-days.ts";
import { walletDay } from "../fixtures/wallet-day-rows.ts";
import type { Requested, Case } from "./oracle-of.ts";
import type { Draw } from "./random-fills.ts";
import { randomRange } from "./random-questions.ts";

const FIRST_DAY = Date.UTC(2025, 10, 20) / 1000;
const DAY = 86_400;
const DAYS = 120;
/** A day in the future. */
const FAR = 20_000;
const WALLETS = ["00", "01", "7f", "80", "ff"].map((byte) => `0x${byte.repeat(20)}`);
const AMOUNTS = [
  "0",
  "0.000001",
  "0.005",
  "0.015",
  "1",
  "12.345678",
  "4503599627.370495",
  "4503599627.370496",
  "9007199254.740993",
  "999999999999.999999",
];
const DEFAULTS: Readonly<Record<string, (pick: (values: readonly string[]) => string) => Record<string, string>>> = {
  "polymarket-pnl": (pick) => ({
    granularity: pick(["1d", "3d", "1w", "1M", "all"]),
    method: pick(["average", "fifo"]),
  }),
  "wallet-equity-curve": (pick) => ({ interval: pick(["1d", "1w", "1M"]) }),
};

const dayText = (day: number): string => new Date((FIRST_DAY + day * DAY) * 1000).toISOString().slice(0, 10);

/** Days of a few wallets, with and without events, sent again with other values, retracted and restored. */
export function walletDaysCase({ below }: Draw): Case {
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const usd = (): string => pick([...AMOUNTS, (below(1e9) / 1e6).toFixed(6)]);
  const signed = (): string => (below(2) === 0 ? `-${usd()}`.replace("-0.000000", "0") : usd());
  const timestamp = (day: string): string => `${day} ${String(below(24)).padStart(2, "0")}:00:0${below(10)}`;
  const row = (): InsertRow => {
    const day = dayText(below(20) === 0 ? FAR : below(below(3) === 0 ? DAYS : 30));
    const [buys, sells] = [below(3), below(below(3) + 1)];
    const isQuiet = buys + sells === 0;
    return walletDay(pick(WALLETS), day, {
      first_at: isQuiet ? null : timestamp(day),
      last_at: isQuiet ? null : timestamp(day),
      buys,
      sells,
      other_events: below(2),
      wins: below(3) * below(3) * below(3),
      losses: below(3),
      bought_usd: usd(),
      fee_usd: usd(),
      realized_usd: signed(),
      realized_fifo_usd: signed(),
      realized_total_usd: signed(),
      fee_total_usd: usd(),
      open_cost_usd: usd(),
      open_value_usd: usd(),
      is_gone: below(6) === 0,
    });
  };
  const datasets: readonly DatasetDefinition[] = [polymarketPnl, walletEquityCurve, walletLifetime];
  const wallets = (): string => Array.from({ length: 1 + below(4) }, () => pick([...WALLETS, WALLETS[0]])).join(",");
  const question = (): Requested => {
    const of = pick(datasets);
    const params = DEFAULTS[of.name]?.(pick) ?? {};
    const at = (day: number): string =>
      pick([dayText(day), new Date((FIRST_DAY + day * DAY + below(DAY)) * 1000).toISOString()]);
    const [from, to] = randomRange(below, DAYS);
    if ("start_time" in of.params && below(2) === 0) params["start_time"] = at(from);
    if ("end_time" in of.params && below(2) === 0) params["end_time"] = at(to + 1);
    const pagination = { limit: pick([1, 3, 20, 200]), ...(below(4) === 0 ? { offset: below(20) } : {}) };
    return {
      params: { ...params, wallet: below(9) === 0 ? `0x${"5".repeat(40)}` : wallets() },
      pagination,
      format: pick(["raw", "typed", "ndjson", "csv", "parquet", "arrow"]),
      of,
    };
  };
  return {
    dataset: polymarketPnl,
    others: datasets.slice(1),
    tables: [{ table: walletDays, served: servedWalletDays }],
    rows: () => {
      const rows = Array.from({ length: 1 + below(300) }, row);
      const unique = new Map(rows.map((each) => [`${String(each["wallet"])} ${String(each["day"])}`, each]));
      return [{ table: walletDays, rows: [...unique.values()] }];
    },
    question,
  };
}
