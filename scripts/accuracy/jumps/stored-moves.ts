import { bind, sql, type Sql } from "../../../packages/server/src/definition/sql.ts";
import { PRICE_RESOLUTIONS } from "../../../packages/server/src/derivations/price-changes/price-resolutions.ts";
import type { Store } from "../../../packages/server/src/store/store.ts";
import type { JumpMarket, TrueJump } from "./jump-world.ts";
import { LATEST_BEGIN_MS } from "./match-jumps.ts";

/** The largest move that ends in a bucket, as it is stored; prices are those of the first outcome. */
export type StoredMove = {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
  readonly trades: number;
  readonly volumeRatio: number | null;
  /** −ln p. */
  readonly score: number;
  readonly returns: number;
  readonly isPeak: boolean;
};

type Row = {
  outcome: number;
  from: number | null;
  ends: number;
  before: number | null;
  after: number | null;
  trades: number;
  ratio: number | null;
  p: number | null;
  returns: number;
  is_peak: boolean;
};

const second = (at: number): Sql => sql`toDateTime(${bind("UInt32", Math.floor(at / 1000))}, 'UTC')`;

/** Every tested move of a market in the direction of a jump that an alarm about the jump could be; surest first. */
export async function movesAbout(
  store: Store,
  market: JumpMarket,
  { ms, size }: TrueJump,
  resolution: keyof typeof PRICE_RESOLUTIONS,
): Promise<StoredMove[]> {
  const length = PRICE_RESOLUTIONS[resolution] * 1000;
  const [yes, no] = market.token_ids.map((token) => sql`toUInt256(${bind("String", token)})`);
  if (yes === undefined || no === undefined) return [];
  const rows = await store.rows<Row>(
    sql`SELECT toUInt8(token_id = ${no}) AS outcome, toUnixTimestamp(jump_at) AS from, toUnixTimestamp(bucket) AS ends, toFloat64(jump_before) AS before,
  toFloat64(jump_after) AS after, jump_trades AS trades, jump_volume_ratio AS ratio, p_value AS p, window_buckets AS returns, is_peak
FROM price_changes FINAL WHERE resolution = ${bind("String", resolution)} AND NOT is_gone AND token_id IN (${yes}, ${no})
  AND bucket > ${second(ms - length)} AND bucket <= ${second(ms + LATEST_BEGIN_MS + 6 * length)} ORDER BY bucket LIMIT 1000`,
  );
  return rows
    .flatMap(({ outcome, from, ends, before, after, trades, ratio, p, returns, is_peak: isPeak }) => {
      if (from === null || before === null || after === null || p === null) return [];
      const [was, is] = outcome === 0 ? [before, after] : [1 - before, 1 - after];
      const score = -Math.log(Math.max(p, 1e-300));
      const times = { from: from * 1000, to: ends * 1000 + length };
      return [{ ...times, before: was, after: is, trades, volumeRatio: ratio, score, returns, isPeak }];
    })
    .filter(({ from, before, after }) => (after - before) * size > 0 && from <= ms + LATEST_BEGIN_MS)
    .sort((a, b) => b.score - a.score);
}
