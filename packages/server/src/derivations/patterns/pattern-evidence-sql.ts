import { bind, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletPairDays } from "../../tables/wallet-pair-days.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletTradeDays } from "../../tables/wallet-trade-days.ts";
import { PATTERN } from "./pattern-constants.ts";

const real = (value: number): Bound => bind("Float64", value);
const hexWallet = (column: Sql): Sql => sql`concat('0x', lower(hex(${column})))`;

/** The days that the state as of a day rests on. */
const window = (day: Bound): Sql =>
  sql`day > subtractDays(toDate(${day}), ${bind("UInt16", PATTERN.days)}) AND day <= toDate(${day}) AND NOT is_gone`;

const habits = (day: Bound): Sql =>
  sql`(SELECT wallet, sum(fills) AS fills, sum(maker_fills) AS maker_fills, sum(entries) AS entries, toFloat64(sum(usd)) AS usd, toFloat64(sum(bought_usd)) AS bought_usd, toFloat64(sum(bought_shares)) AS bought_shares, toFloat64(sum(sure_usd)) AS sure_usd, sum(quoted_markets) AS quoted, sum(two_sided_markets) AS two_sided, sum(set_events) AS sets, max(day) AS last FROM ${walletTradeDays} FINAL WHERE ${window(day)} GROUP BY wallet)`;

/** Wallets with a fill in the window, for base rates. */
export const countWallets = (day: Bound): Sql =>
  sql`SELECT toUInt32(uniqExact(wallet)) AS wallets FROM ${walletTradeDays} FINAL WHERE ${window(day)}`;

const did = (wallet: Sql, side: Sql): Sql =>
  sql`toUInt32(${wallet}.fills) AS ${side}_fills, toUInt32(${wallet}.entries) AS ${side}_entries, ${wallet}.usd AS ${side}_usd, toString(${wallet}.last) AS ${side}_last_day`;

/**
 * Pairs that matched or echoed each other often enough to be a tie, with what both did in all: to look wallets up
 * afterwards reads the whole window for some of them at a time.
 */
export const tiedPairs = (day: Bound): Sql => {
  const { wash, sybil } = PATTERN;
  const pairs = sql`(SELECT kind, wallet_a, wallet_b, sum(p.n) AS n, sum(p.up) AS up, toFloat64(sum(p.usd)) AS usd, sum(p.expected) AS expected, count() AS occasions FROM ${walletPairDays} AS p FINAL WHERE ${window(day)} GROUP BY kind, wallet_a, wallet_b HAVING sum(p.n) >= if(kind = 'match', ${real(wash.pairs)}, ${real(sybil.pairs)}))`;
  return sql`SELECT kind, ${hexWallet(sql`wallet_a`)} AS a, ${hexWallet(sql`wallet_b`)} AS b, toUInt32(n) AS matches, toUInt32(least(up, n - up)) AS fewer, p.usd AS pair_usd, expected, toUInt32(occasions) AS times,
  ${did(sql`x`, sql`a`)}, ${did(sql`y`, sql`b`)}
FROM ${pairs} AS p INNER JOIN ${habits(day)} AS x ON x.wallet = wallet_a INNER JOIN ${habits(day)} AS y ON y.wallet = wallet_b
WHERE if(kind = 'match',
  wallet_a = wallet_b OR (n >= ${real(wash.pairShare)} * greatest(x.fills, y.fills) AND least(up, n - up) >= ${real(wash.bothWays)} * n),
  occasions >= ${real(sybil.occasions)} AND n >= ${real(sybil.lift)} * expected AND n - expected >= ${real(sybil.pairShare)} * least(x.entries, y.entries))
ORDER BY kind, a, b`;
};

/** Wallets that buy the all but certain, turn sets over in small trades, or quote both sides; with their scores. */
export const soloPatterns = (day: Bound): Sql => {
  const { farmer, bothSides } = PATTERN;
  const entry = sql`if(bought_shares > 0, bought_usd / bought_shares, 0)`;
  const makerShare = sql`maker_fills / fills`;
  const sure = sql`100 * (${entry} >= ${real(farmer.surePrice)}) * least(1, fills / ${real(farmer.sureFills)})`;
  const turnover = sql`100 * (sets >= ${real(farmer.setEvents)}) * least(1, sets / fills / ${real(farmer.setShare)}) * least(1, ${makerShare} / ${real(farmer.makerShare)}) * least(1, ${real(farmer.smallUsd)} * fills / usd)`;
  const both = sql`100 * (quoted >= ${real(bothSides.quoted)} AND ${makerShare} >= ${real(bothSides.makerShare)}) * least(1, two_sided / greatest(1, quoted) / ${real(bothSides.twoSided)})`;
  return sql`SELECT * FROM (SELECT ${hexWallet(sql`wallet`)} AS id, toString(last) AS last_day, toUInt32(fills) AS fills, toUInt32(sets) AS sets, toUInt32(quoted) AS quoted, toUInt32(two_sided) AS two_sided,
  ${entry} AS average_entry, if(bought_usd > 0, sure_usd / bought_usd, 0) AS sure_share, ${makerShare} AS maker_share, usd / fills AS average_usd,
  ${both} AS both_score, ${sure} AS sure_score, ${turnover} AS turnover_score
FROM ${habits(day)} WHERE usd > 0) WHERE both_score >= 0.5 OR sure_score >= 0.5 OR turnover_score >= 0.5 ORDER BY id`;
};

/** What was said of wallets on the days before, in the window: the newest word, where it was more than nothing. */
export const saidBefore = (day: Bound): Sql =>
  sql`SELECT ${hexWallet(sql`wallet`)} AS id, pattern FROM ${walletPatterns} FINAL WHERE ${window(day)} AND day < toDate(${day}) AND wallet IN (SELECT wallet FROM ${walletTradeDays} FINAL WHERE day = toDate(${day}) AND NOT is_gone) GROUP BY wallet, pattern HAVING argMax(score, day) > 0 ORDER BY id, pattern`;
