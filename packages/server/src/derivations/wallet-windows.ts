import { dayOf } from "../definition/day-of.ts";
import { bind, sql, type Sql } from "../definition/sql.ts";
import { defineRefresh, type RefreshStore } from "../definition/refresh.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { walletWindows } from "../tables/wallet-windows.ts";
import { makeFromDays, makeFromSet, makeRestated, markSet, type SetRows } from "./wallet-set/make-set-sql.ts";
import { slicesOf } from "./wallet-set/slices-of.ts";
import { KEPT_WINDOWS, restatedSql } from "./wallet-window/set-sql.ts";

const DAY_SECONDS = 86_400;
/** A day's last rows are written in the first hours after it; until then boards add them up. */
const CLOSED_AFTER_SECONDS = 2 * 3600;
/** Between the version of a row and the moment the row can be read. */
const UNSEEN_SECONDS = 60;
/** With more wallets stored again all sums are made anew. */
const MOST_RESTATED = 20_000;

type Found = { readonly day: string; readonly version: string };

/** Wallets' days → sums of their windows as of the last day that is over, for what changed since. */
export const walletWindowsRefresh = defineRefresh({
  name: "wallet-windows",
  title: "Sums of wallets' windows",
  from: [walletDays],
  into: walletWindows,
  everySeconds: 300,
  wholeEverySeconds: DAY_SECONDS,
  refresh: async (store, { now, since, signal }) => {
    const day = dayOf(Math.floor(now / 1000) - CLOSED_AFTER_SECONDS - DAY_SECONDS);
    const [newest] = await store.rows<Found>(
      sql`SELECT toString(day) AS day, toString(max(version)) AS version FROM ${walletWindows} WHERE period = 'set' GROUP BY day ORDER BY day DESC LIMIT 1`,
    );
    const restated = newest?.day === day && since !== undefined ? await countRestated(store, newest) : undefined;
    if (restated === 0) return 0;
    const made = await begin(store, day);
    if (newest !== undefined && restated !== undefined && restated <= MOST_RESTATED) {
      const from = bind("UInt64", newest.version);
      for (const days of KEPT_WINDOWS) await store.run(makeRestated(days, made.rows, from));
    } else {
      const isNext = newest !== undefined && newest.day < day && since !== undefined;
      for (const slice of await slicesOf(store, isNext ? walletWindows : walletDays))
        for (const days of KEPT_WINDOWS) {
          signal.throwIfAborted();
          await store.run((isNext ? makeFromSet : makeFromDays)(days, made.rows, slice));
        }
    }
    await store.run(markSet(made.rows.day, made.since));
    await dropOthers(store, made.rows.day);
    return restated ?? 1;
  },
});

async function countRestated(store: RefreshStore, { day, version }: Found): Promise<number> {
  const set = sql`(${bind("Date", day)}, ${bind("UInt64", version)})`;
  const [row] = await store.rows<{ n: string }>(sql`SELECT uniqExact(wallet) AS n FROM ${restatedSql(set)}`);
  return Number(row?.n);
}

/** Rows of this turn, and the version from which on what is stored is not sure to be in them. */
async function begin(store: RefreshStore, day: string): Promise<{ rows: SetRows; since: ReturnType<typeof bind> }> {
  const [row] = await store.rows<{ at: string }>(sql`SELECT toString(toUnixTimestamp64Micro(now64(6))) AS at`);
  const at = BigInt(row?.at ?? 0);
  const since = at - BigInt(UNSEEN_SECONDS) * 1_000_000n;
  return { rows: { day: bind("Date", day), version: bind("UInt64", at) }, since: bind("UInt64", since) };
}

/** The day before stays for those who ask as of yesterday. A day goes with its mark, so it is never read in part. */
async function dropOthers(store: RefreshStore, day: ReturnType<typeof bind>): Promise<void> {
  const old: Sql = sql`SELECT DISTINCT toString(day) AS day FROM ${walletWindows} WHERE day < ${day} - 1 OR day > ${day}`;
  for (const one of await store.rows<{ day: string }>(old))
    await store.alter(sql`ALTER TABLE ${walletWindows} DROP PARTITION ${bind("Date", one.day)}`);
}
