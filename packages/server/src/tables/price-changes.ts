import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * One row per outcome token, resolution and bucket with a trade or quote: its price change from the previous bucket,
 * and whether that was a jump. Changes of less than a percent, and moves that are no peak, are never shown: they have
 * no figures, but count among the tested ones.
 */
export const priceChanges = defineTable({
  name: "price_changes",
  about: "Changes of tokens' prices from bucket to bucket.",
  columns: {
    resolution: stored.choice(["1m", "5m", "15m", "1h", "4h", "1d"], "Length of the bucket."),
    bucket: stored.seconds("Start of the bucket."),
    token_id: stored.token("Outcome token."),
    close: stored.maybeMoney("Price of the last trade; null for a small change."),
    previous_close: stored.maybeMoney("Close of the last earlier bucket with a trade."),
    change_pct: stored.maybeMoney(
      "From the previous close to this one, in percent; null below 0.995, which is shown as 1.00.",
    ),
    volume: stored.money("Shares traded; 0 for a small change."),
    trade_count: stored.count("Trades."),
    volume_ratio: stored.maybeRatio("Shares over the mean of the buckets with trades before; null without any."),
    is_reverted: stored.flag("Half of the change was reversed in the next ten buckets."),
    jump_at: stored.maybeSeconds(
      "Start of the first bucket of the largest move that ends in this one; null, as all of the move, where it is no peak.",
    ),
    jump_before: stored.maybeMoney("Price before that move: the middle of the quotes, else the last trade."),
    jump_after: stored.maybeMoney("Price after it, in this bucket."),
    jump_volume: stored.money("Shares traded during the move."),
    jump_trades: stored.count("Trades during the move."),
    jump_volume_ratio: stored.maybeRatio("Shares a bucket during the move over those of the window before it."),
    statistic: stored.maybeReal("Lee-Mykland's statistic, or the cumulative sum's if that is less likely; signed."),
    p_value: stored.maybeReal("Chance of so large a move within the window; null if not tested or not shown."),
    window_buckets: stored.count("Buckets that the scale was measured on; 0 if not tested."),
    is_peak: stored.flag("No move within reach is less likely, and the volume confirms it."),
    is_jump_reverted: stored.flag("Half of the move was reversed in the next ten buckets."),
    is_gone: stored.flag("The bucket was retracted."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  storedAsMade: true,
  // A day's rows of a token are adjacent: a query for a token reads a few marks of each day, and its id is stored once.
  orderBy: ["resolution", "toDate(bucket)", "token_id", "bucket"],
  granularity: { own: 1024 },
  key: ["resolution", "bucket", "token_id"],
  keyRange: "bucket",
  indexes: [
    "INDEX tokens token_id TYPE bloom_filter(0.01) GRANULARITY 1",
    "INDEX moments bucket TYPE minmax GRANULARITY 1",
  ],
  shardBy: "cityHash64(token_id)",
});
