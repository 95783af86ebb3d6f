import { exactMicros } from "../definition/micros.ts";
import type { KeyedReader, KeyedRow, ReadStatement, ServedKeyed } from "../definition/served-keyed.ts";
import { sql, type Bound } from "../definition/sql.ts";
import { foldedByKey, MARKED_FROM } from "../derivations/wallet-keyed/folded-by-key.ts";
import { walletProfile, type ProfileInput } from "../derivations/wallet-figures/wallet-profile.ts";
import { newestPoolDay } from "../derivations/wallet-score/newest-pool-sql.ts";
import { dayNumber, lastDaySql } from "../definition/timestamp.ts";
import { lengthOf } from "../derivations/wallet-window/wallet-window.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { servedIncome, servedIncomeWallets } from "../tables/served-income.ts";
import { servedMarkets } from "../tables/served-markets.ts";
import { servedWalletEntries } from "../tables/served-wallet-entries.ts";
import { servedWalletPatterns } from "../tables/served-wallet-patterns.ts";
import { servedWalletScores } from "../tables/served-wallet-scores.ts";
import { walletScores } from "../tables/wallet-scores.ts";

type Requested = Readonly<Partial<Record<"proxy_wallet" | "window_days" | "as_of", Bound>>>;

const DAY = 86_400;
/** Days that a pattern remains valid. */
const PATTERN_DAYS = 30;

/** The day of the pool that scores of a day refer to; undefined if there is none. */
async function poolDay(asOf: number, read: ReadStatement): Promise<number | undefined> {
  const found = await read<{ day: string | null }>(
    sql`SELECT toString(newest) AS day FROM (${newestPoolDay(lastDaySql(asOf), undefined)})`,
    [walletScores],
  );
  return found[0]?.day ? Date.parse(found[0].day) / 1000 : undefined;
}

const isThere = (row: KeyedRow): boolean => row.number("is_gone") === 0;

function entriesOf(wallet: string, first: number, last: number, { rows }: KeyedReader): ProfileInput["entries"] {
  const entries: ProfileInput["entries"][number][] = [];
  for (const row of rows(servedWalletEntries, "wallet", wallet, { from: first, to: last }))
    if (isThere(row) && row.micros("shares") > 0)
      entries.push({
        eventKey: String(row.value("event_key")),
        payout: exactMicros(row.micros("payout")),
        shares: exactMicros(row.micros("shares")),
        bought: exactMicros(row.micros("bought_usd")),
        clvSum: exactMicros(row.micros("clv_sum")),
        clvEntries: row.number("clv_entries"),
      });
  return entries;
}

function patternsOf(wallet: string, last: number, { rows }: KeyedReader): ProfileInput["patterns"] {
  const patterns: ProfileInput["patterns"][number][] = [];
  for (const row of rows(servedWalletPatterns, "wallet", wallet, { from: last - (PATTERN_DAYS - 1) * DAY, to: last }))
    if (isThere(row))
      patterns.push({
        day: row.number("day") / DAY,
        pattern: String(row.value("pattern")),
        score: Number(row.value("score")),
        share: Number(row.value("share")),
        clusterSize: row.number("cluster_size"),
      });
  return patterns;
}

function scoreOf(wallet: string, day: number | undefined, { rows }: KeyedReader): number | null {
  if (day === undefined) return null;
  for (const row of rows(servedWalletScores, "wallet", wallet, { from: day, to: day }))
    if (isThere(row) && row.value("category") === "") return Number(row.value("score"));
  return null;
}

/** Undefined where the wallet's income was never read. */
function incomeOf(wallet: string, first: number, last: number, { rows }: KeyedReader): ProfileInput["income"] {
  const [checkedAt = 0] = [...rows(servedIncomeWallets, "wallet", wallet)].map((row) => row.number("checked_at"));
  if (checkedAt === 0) return undefined;
  let usd = 0n;
  for (const row of rows(servedIncome, "wallet", wallet, { from: first, to: last + DAY - 1 }))
    usd += BigInt(row.micros("amount_usd"));
  return { usd: exactMicros(usd), checkedAt };
}

function categoryOf(condition: string, { rows }: KeyedReader): string {
  for (const row of rows(servedMarkets, "condition_id", condition)) return String(row.value("category"));
  return "";
}

/** Dataset 581 from a wallet's ledger by key, folded on request; without the score where that is withheld. */
export const servedWallet360 = (isScored: boolean): Omit<ServedKeyed, "order"> => ({
  tables: [
    ...MARKED_FROM,
    servedWalletEntries,
    servedWalletPatterns,
    servedWalletScores,
    servedIncome,
    servedIncomeWallets,
  ],
  tokens: polymarketTokens,
  search: async (p: Requested, { now, statement }) => {
    const asOf = dayNumber(p.as_of, now);
    const days = lengthOf(p.window_days);
    const last = asOf * DAY;
    const first = days === "all" ? DAY : last - (days - 1) * DAY;
    const scored = isScored ? await poolDay(asOf, statement) : undefined;
    return {
      keys: p.proxy_wallet?.value as readonly string[],
      from: 0,
      rows: function* rows(wallet, reader) {
        const beside = {
          entries: entriesOf(wallet, first, last, reader),
          patterns: patternsOf(wallet, last, reader),
          score: scoreOf(wallet, scored, reader),
          income: incomeOf(wallet, first, last, reader),
        };
        const valuedFrom = days === "all" ? 0 : asOf - days;
        const folded = yield* foldedByKey(
          { wallet, asOf, closed: dayNumber(undefined, now) - 1, valuedFrom, isMarked: true },
          reader,
        );
        const values =
          folded &&
          walletProfile({
            wallet,
            folded,
            days,
            asOf,
            ...beside,
            categoryOf: (condition) => categoryOf(condition, reader),
            markOf: folded.markOf,
          });
        if (values !== undefined) yield { at: 0, values: () => values };
      },
    };
  },
});
