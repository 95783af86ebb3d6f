import type { InsertRow } from "../../src/definition/table.ts";
import { hex } from "../fixtures/sample-rows.ts";
import { accountsOf, baseballFill, toFillRow, type Account } from "./recorded-fills.ts";
import { linesOf, type RecordedRow } from "./recordings.ts";

export const BASEBALL = "polymarket/mlb/trades_82_wallets.jsonl.gz";

/** Recorded trades in markets with a recorded winner, and the sums that follow from them. */
export type BaseballMarkets = {
  readonly trades: readonly RecordedRow[];
  /** Sides on which each wallet traded. */
  readonly sidesOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** Keyed by wallet and token. */
  readonly accounts: ReadonlyMap<string, Account>;
  /** In USD per share. */
  readonly payoutOf: (token: string) => bigint;
  /** A wallet's profit in each market: its cash plus the payouts of the shares it held. */
  readonly gainsOf: (wallet: string) => readonly bigint[];
  /** Rows by table; every market is resolved at noon of that day. */
  readonly rows: (day: string) => Readonly<Record<string, readonly InsertRow[]>>;
};

export function readBaseball(): BaseballMarkets {
  const winners = new Map(
    linesOf("polymarket/mlb/resolved_tokens_is_winner.jsonl.gz").map((row) => [String(row["condition_id"]), row]),
  );
  const trades = linesOf(BASEBALL).filter((row) => winners.has(String(row["condition_id"])));
  const marketOf = new Map(trades.map((row) => [String(row["token_id"]), String(row["condition_id"])]));
  const fills = trades
    .map((row, place) => baseballFill(row, place))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.place - b.place);
  const accounts = accountsOf(fills);
  const isRecorded = (token: string): boolean => winners.get(marketOf.get(token) ?? "")?.["token_id"] === token;
  const payoutOf = (token: string): bigint =>
    isRecorded(token) === winners.get(marketOf.get(token) ?? "")?.["is_winner"] ? 1n : 0n;
  return {
    trades,
    sidesOf: new Map(
      [...Map.groupBy(fills, ({ wallet }) => wallet)].map(([wallet, own]) => [
        wallet,
        new Set(own.map(({ side }) => side)),
      ]),
    ),
    accounts,
    payoutOf,
    gainsOf: (wallet) => {
      const gains = new Map<string, bigint>();
      for (const [key, { cash, held }] of accounts) {
        const [owner, token = ""] = key.split(" ");
        const market = marketOf.get(token) ?? "";
        if (owner === wallet) gains.set(market, (gains.get(market) ?? 0n) + cash + held * payoutOf(token));
      }
      return [...gains.values()];
    },
    rows: (day) => ({
      polymarket_fills: fills.map((fill) => toFillRow(fill)),
      polymarket_tokens: [...new Map(trades.map((row) => [row["token_id"], row])).values()].map(
        ({ token_id, condition_id, outcome, slug }) => ({
          token_id,
          condition_id,
          outcome_index: isRecorded(String(token_id)) ? 0 : 1,
          outcome,
          slug,
        }),
      ),
      polymarket_resolutions: [...new Set(marketOf.values())].map((condition_id, index) =>
        resolution(condition_id, winners.get(condition_id)?.["is_winner"] === true, { day, index }),
      ),
    }),
  };
}

/** The recorded token's outcome is the first one. */
function resolution(condition_id: string, hasWon: boolean, { day, index }: { day: string; index: number }): InsertRow {
  const payouts = hasWon ? ["1", "0"] : ["0", "1"];
  const place = { ts: `${day}T12:00:00Z`, tx_hash: hex(index + 1), log_index: index, block_number: 1 };
  return { ...place, condition_id, oracle: hex(1, 40), question_id: hex(1), payout_numerators: payouts, payouts };
}
