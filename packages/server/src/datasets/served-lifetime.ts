import { addMicros, lessMicros } from "../definition/add-micros.ts";
import type { Micros } from "../definition/micros.ts";
import { inPercent, quotient } from "../definition/quotient.ts";
import type { MadeRow, KeyedRow, ServedKeyed } from "../definition/served-keyed.ts";
import type { Bound } from "../definition/sql.ts";
import { servedWalletDays } from "../tables/served-wallet-days.ts";
import { liveDays } from "./served-wallet-days.ts";

type Asked = Readonly<Partial<Record<"wallet_address", Bound>>>;

const DAY_MICROS = 86_400_000_000;
const DAY = 86_400;
const MILLION = 1_000_000n;

/** One row of all days; none where there is no day. */
function* lifeOf(wallet: string, days: Iterable<KeyedRow>): Generator<MadeRow, void, void> {
  let [pnl, invested, fees]: [Micros, Micros, Micros] = [0, 0, 0];
  let [trades, wins, losses, first, last, version] = [0, 0, 0, Number.POSITIVE_INFINITY, 0, -1];
  for (const day of liveDays(days)) {
    const fee = day.micros("fee_usd");
    pnl = addMicros(pnl, lessMicros(day.micros("realized_usd"), fee));
    fees = addMicros(fees, fee);
    invested = addMicros(invested, day.micros("bought_usd"));
    trades += day.number("buys") + day.number("sells");
    wins += day.number("wins");
    losses += day.number("losses");
    // Null is 0.
    first = Math.min(first, day.number("first_at") || first);
    last = Math.max(last, day.number("last_at"));
    version = Math.max(version, day.number("version"));
  }
  if (version < 0) return;
  yield {
    at: 0,
    values: () => ({
      wallet_address: wallet,
      total_pnl: pnl,
      roi_pct: inPercent(quotient(pnl, invested, MILLION)),
      total_trades: trades,
      total_invested: invested,
      avg_trade_size: quotient(invested, trades, 1n),
      avg_pnl_per_trade: quotient(pnl, trades, 1n),
      win_rate_pct: inPercent(quotient(BigInt(wins) * MILLION, wins + losses, 1n)),
      first_trade: Number.isFinite(first) ? first : null,
      last_trade: last === 0 ? null : last,
      last_updated: { micros: version },
      fees,
    }),
  };
}

/** Dataset 586 from days as they are served. */
export const servedLifetime: Omit<ServedKeyed, "order"> = {
  types: { total_trades: "Int64" },
  tables: [servedWalletDays],
  search: (p: Asked, { now }) => {
    const span = { from: 0, to: Math.floor(Number(now.value) / DAY_MICROS) * DAY };
    return (
      p.wallet_address && {
        keys: p.wallet_address.value as readonly string[],
        from: 0,
        rows: (wallet, { rows }) => lifeOf(wallet, rows(servedWalletDays, "wallet", wallet, span)),
      }
    );
  },
};
