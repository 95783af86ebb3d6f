import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * One row per wallet, outcome token and UTC day with an event of it: what the day did, and what is held at its end, so
 * that working out can go on from any day. Worked out from the ledger.
 */
export const walletTokenDays = defineTable({
  name: "wallet_token_days",
  about: "What a wallet did with a token on a day, and what it held at the end of it.",
  columns: {
    wallet: stored.wallet("Wallet."),
    day: stored.day("UTC day."),
    token_id: stored.token("Outcome token."),
    condition_id: stored.condition("Condition; zero while the token's market is not known."),
    first_at: stored.seconds("First event of the day."),
    last_at: stored.seconds("Last event of the day."),
    buys: stored.count("Fills bought."),
    sells: stored.count("Fills sold."),
    maker_fills: stored.count("Of both, as maker."),
    other_events: stored.count("Splits, merges, conversions, redemptions, transfers and resolutions."),
    shares_bought: stored.money("Shares bought by fills."),
    bought_usd: stored.money("Notional bought by fills, fees apart."),
    shares_sold: stored.money("Shares sold by fills."),
    sold_usd: stored.money("Notional sold by fills, fees apart."),
    maker_usd: stored.money("Notional of fills as maker."),
    bought_usd_squared: stored.real("Sum of the squared notionals of fills bought, for their spread."),
    fee_usd: stored.money("Fees of the fills."),
    split_usd: stored.money("Half of the money paid for complete sets that were split (a set costs a dollar)."),
    merged_usd: stored.money("Half of the money got for complete sets that were merged."),
    redeemed_usd: stored.money("Money got for redeemed shares."),
    converted_usd: stored.money("Value at which shares came or went by neg-risk conversions; negative when they came."),
    shares_in: stored.money("Shares got from other wallets, at no cost."),
    shares_out: stored.money("Shares sent to other wallets."),
    unmatched_shares: stored.money("Shares that left without having been held: the history is incomplete."),
    realized_usd: stored.money("Realised profit by average cost, before fees."),
    realized_fifo_usd: stored.money("Realised profit by first in, first out, before fees."),
    cash_usd: stored.money("Money to the wallet less money from it, fees taken off."),
    shares: stored.money("Shares held at the end of the day."),
    cost_usd: stored.money("Their cost by average cost."),
    cost_fifo_usd: stored.money("Their cost by first in, first out."),
    lots: stored.lots("Lots held, oldest first: shares and what they cost."),
    payout: stored.maybeMoney("Payout of a share once the condition was resolved on that day or before."),
    position_opened_at: stored.maybeSeconds(
      "When the position (wallet × condition) that is open at the end of the day began; null where none is.",
    ),
    position_pnl_usd: stored.money("Its realised profit so far by average cost, fees taken off, of both tokens."),
    position_bought_usd: stored.money("Notional bought by fills since it began, of both tokens."),
    is_gone: stored.flag("The row was taken back: it is no more."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["wallet", "day", "token_id"],
  granularity: { own: 1024, copies: 1024 },
  key: ["wallet", "day", "token_id"],
  copies: { wallet_token_days_by_token: ["token_id", "wallet", "day"] },
  // Whether there are tokens whose market is not known is asked every few seconds.
  indexes: ["INDEX unnamed condition_id TYPE minmax GRANULARITY 1"],
  hashesValues: true,
  shardBy: "cityHash64(wallet)",
});
