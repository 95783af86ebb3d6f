import { defineFold, type FoldReader, type Touched, type Day, type KeyRange } from "../definition/fold.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { tokenDays } from "../tables/token-days.ts";
import { walletTokenDays } from "../tables/wallet-token-days.ts";
import { CHECKPOINT_FORM } from "./wallet/wallet-checkpoint.ts";
import { foldWallets } from "./wallet-read/fold-wallets.ts";
import { holdersOfTokens } from "./wallet-touch/holders-of-tokens.ts";
import { walletSources } from "./wallet-touch/wallet-sources.ts";
import { bind, sql, type Sql } from "../definition/sql.ts";
import { hexOf } from "../definition/filter.ts";
import { copyOf } from "../definition/table.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";

/** A span of time, Unix ms. */
type Span = { readonly from: number; readonly to: number };

/** The computed days of wallets active in a span: as source and condition, and the days as condition. */
function activitySql({ from, to }: Span): { readonly active: Sql; readonly days: Sql } {
  const [first, last] = [bind("Int64", BigInt(Math.floor(from / 1000))), bind("Int64", BigInt(Math.ceil(to / 1000)))];
  const days = sql`day >= toDate(toDateTime(${first}, 'UTC'), 'UTC') AND day <= toDate(toDateTime(${last}, 'UTC'), 'UTC')`;
  const active = sql`${walletTokenDays} WHERE wallet IN (SELECT wallet FROM ${walletDays} WHERE ${days}) AND ${days} AND first_at <= toDateTime(${last}, 'UTC') AND last_at >= toDateTime(${first}, 'UTC')`;
  return { active, days };
}

/** Wallets active in a span according to the computed days, with the day. */
export async function activeInSpan(read: FoldReader, span: Span): Promise<Touched> {
  const { active } = activitySql(span);
  const rows = await read.rows<{ wallet: string; day: string }>(
    sql`SELECT concat('0x', lower(hex(wallet))) AS wallet, toString(min(day)) AS day FROM ${active} GROUP BY wallet`,
  );
  return new Map(rows.map(({ wallet, day }) => [wallet, day]));
}

/** The same, and holders of tokens that were traded in the span and have no mark of that day, which may be removed. */
async function affectedBySpan(read: FoldReader, span: Span): Promise<Touched> {
  const { active, days } = activitySql(span);
  const rows = await read.rows<{ token: string; since: Day }>(
    sql`SELECT toString(token_id) AS token, toString(min(day)) AS since FROM ${active} AND (token_id, day) NOT IN (SELECT token_id, day FROM ${tokenDays} WHERE ${days}) GROUP BY token_id`,
  );
  const found = new Map(await activeInSpan(read, span));
  for (const [wallet, day] of await holdersOfTokens(read, new Map(rows.map(({ token, since }) => [token, since])))) {
    const known = found.get(wallet);
    if (known === undefined || day < known) found.set(wallet, day);
  }
  return found;
}

/**
 * Wallets of a range that need rows for the days after `closed` up to `day`: those with holdings at its end, and those
 * active since, whose days were marked while still in progress.
 */
export async function holdersAtEnd(
  read: FoldReader,
  { closed, day }: { readonly closed: Day; readonly day: Day },
  { first, last }: KeyRange,
): Promise<Touched> {
  const [from, to] = [bind("String", closed), bind("String", day)];
  const inRange = sql`wallet >= toFixedString(unhex(${bind("String", first.slice(2))}), 20) AND wallet <= toFixedString(unhex(${bind("String", last.slice(2))}), 20)`;
  const rows = await read.rows<{ wallet: string; next: string }>(
    sql`SELECT concat('0x', lower(hex(wallet))) AS wallet, toString(min(greatest(day, toDate(${from}) + 1))) AS next FROM ${walletDays} FINAL WHERE day >= toDate(${from}) AND day <= toDate(${to}) AND ${inRange} AND NOT is_gone AND (day > toDate(${from}) OR open_tokens > 0) GROUP BY wallet`,
  );
  return new Map(rows.map(({ wallet, next }) => [wallet, next]));
}

const BY_TOKEN = copyOf(walletTokenDays, "wallet_token_days_by_token");
const UNNAMED = sql`condition_id = toFixedString('', 32)`;

/**
 * Wallets whose rows were computed before the market of a token was known, if it is known now. Rows without a market
 * stay on disk until they are merged with their replacements: only those newer than `sinceMs`, or whose token was named
 * since, are read.
 */
async function namedSince(read: FoldReader, sinceMs: number): Promise<Touched> {
  const since = bind("UInt64", BigInt(Math.floor(sinceMs)) * 1000n);
  const namedLately = sql`SELECT token_id FROM ${polymarketTokens} WHERE version >= ${since}`;
  const looked = sql`FROM ${BY_TOKEN} WHERE ${UNNAMED} AND (version >= ${since} OR token_id IN (${namedLately}))`;
  // There is nearly always none, which an index shows.
  const some = await read.rows<{ found: number }>(sql`SELECT 1 AS found ${looked} LIMIT 1`);
  if (some.length === 0) return new Map();
  const named = sql`SELECT token_id FROM ${polymarketTokens} WHERE token_id IN (SELECT token_id ${looked})`;
  // Without FINAL: for a row named since, an index would leave only its old version.
  const newest = sql`SELECT wallet, day, argMax(t.condition_id, t.version) AS condition_id, argMax(t.is_gone, t.version) AS is_gone FROM ${BY_TOKEN} AS t WHERE (token_id, wallet, day) IN (SELECT token_id, wallet, day FROM ${BY_TOKEN} WHERE ${UNNAMED} AND token_id IN (${named})) GROUP BY wallet, day, token_id`;
  const rows = await read.rows<{ address: string; since: string }>(
    sql`SELECT ${hexOf(sql`wallet`)} AS address, toString(min(day)) AS since FROM (${newest}) WHERE ${UNNAMED} AND NOT is_gone GROUP BY wallet`,
  );
  return new Map(rows.map(({ address, since: day }) => [address, day]));
}

/** The ledger → wallets' days: each day's activity, holdings, wins and losses. */
export const walletFold = defineFold({
  name: "wallet-days",
  title: "Daily wallet figures from the ledger",
  from: walletSources,
  into: [walletTokenDays, walletDays],
  key: "wallet",
  day: "day",
  gatherSeconds: 10,
  form: CHECKPOINT_FORM,
  work: foldWallets,
  findUndone: affectedBySpan,
  findHolders: holdersAtEnd,
  findRipe: namedSince,
});
