import {
  defineFold,
  type Fold,
  type Folded,
  type FoldReader,
  type FoldSlice,
  type Kept,
} from "../../src/definition/fold.ts";
import { bind, sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { activeInSpan, holdersAtEnd } from "../../src/derivations/wallet-fold.ts";
import { walletSources } from "../../src/derivations/wallet-touch/wallet-sources.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { walletDays } from "../../src/tables/wallet-days.ts";
import { walletTokenDays } from "../../src/tables/wallet-token-days.ts";
import { packRows } from "../fixtures/pack-rows.ts";

type DayRow = { wallet: string; token: string; day: string; shares: string; n: string };

/** Sums shares bought and sold by token: the simplest fold that continues from the state of the day before. */
export const sharesFold: Fold = defineFold({
  name: "shares",
  title: "Shares by day",
  from: walletSources.filter(({ table }) => table.name === polymarketFills.name),
  into: [walletTokenDays, walletDays],
  key: "wallet",
  day: "day",
  form: 1,
  work: foldShares,
  findUndone: activeInSpan,
  findHolders: holdersAtEnd,
  findRipe: () => Promise.resolve(new Map()),
});

async function foldShares(read: FoldReader, { keys, from, to, closed }: FoldSlice, kept: Kept): Promise<Folded> {
  const wallets = sql`wallet IN (SELECT toFixedString(unhex(arrayJoin(${bind(
    "Array(String)",
    keys.map((key) => key.slice(2)),
  )})), 20))`;
  const wallet = sql`concat('0x', lower(hex(wallet))) AS wallet`;
  const days = await read.rows<DayRow>(
    sql`SELECT ${wallet}, toString(token_id) AS token, toString(toDate(ts)) AS day, toString(sum(if(side = 'BUY', shares, -shares))) AS shares, toString(count()) AS n FROM polymarket_fills_by_wallet WHERE ${wallets} AND toDate(ts) >= toDate(${bind("String", from)}) AND toDate(ts) <= toDate(${bind("String", to ?? "2100-01-01")}) GROUP BY wallet, token_id, day ORDER BY day`,
  );
  const closing = closed < (to ?? closed) ? closed : (to ?? closed);
  const made = keys.map((key) => foldKey({ key, from, closing, keptAt: to ?? closed }, kept, days));
  const rows = [
    {
      table: walletTokenDays,
      rows: packRows(
        walletTokenDays,
        made.flatMap(({ tokens }) => tokens),
      ),
    },
    {
      table: walletDays,
      rows: packRows(
        walletDays,
        made.flatMap(({ wallets: own }) => own),
      ),
    },
  ];
  return { rows, keys: made.map(({ folded }) => folded) };
}

type Own = { readonly key: string; readonly from: string; readonly closing: string; readonly keptAt: string };

function foldKey({ key, from, closing, keptAt }: Own, kept: Kept, days: readonly DayRow[]) {
  const own = days.filter(({ wallet }) => wallet === key);
  const state = kept.before(key, from);
  const held = new Map<string, number>(state ? (JSON.parse(state.toString()) as [string, number][]) : []);
  const tokens: InsertRow[] = [];
  const wallets: InsertRow[] = [];
  const checkpoints: { day: string; state: Buffer }[] = [];
  const first = held.size > 0 ? from : (own[0]?.day ?? "9999-12-31");
  const last = [closing, own.at(-1)?.day ?? ""].toSorted().at(-1) ?? "";
  for (let day = first; day <= last; day = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)) {
    const today = own.filter((row) => row.day === day);
    for (const { token, shares, n } of today) {
      held.set(token, (held.get(token) ?? 0) + Number(shares));
      tokens.push({
        wallet: key,
        day,
        token_id: token,
        first_at: day,
        last_at: `${day} 23:59:59`,
        buys: Number(n),
        shares: String(held.get(token)),
      });
    }
    const open = [...held.values()].filter((shares) => shares !== 0).length;
    if (today.length > 0 || (open > 0 && day <= closing))
      wallets.push({ wallet: key, day, buys: today.length, open_tokens: open });
    if (day === keptAt) checkpoints.push({ day, state: Buffer.from(JSON.stringify([...held])) });
  }
  return { tokens, wallets, folded: { key, lastDay: own.at(-1)?.day ?? from, eventsSince: own.length, checkpoints } };
}
