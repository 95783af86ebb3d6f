import { LRUCache } from "lru-cache";
import { atMost } from "../../definition/at-most.ts";
import { beside } from "../../definition/pacing.ts";
import { hexOf, isOneOf } from "../../definition/filter.ts";
import type { ReadEngine } from "../../definition/served-keyed.ts";
import { sql, type Sql, bind, fromDefinition, joined, type Bound } from "../../definition/sql.ts";
import { bootstrapScore } from "./bootstrap-score.ts";
import { categoryPaths } from "./gather-pools.ts";
import { createJudge, type Judge, type PoolScales, type PoolColumns } from "./pool.ts";
import { WIDE } from "./reasons.ts";
import type { WalletSample } from "./measures.ts";
import { ByteReader } from "../../definition/bytes.ts";
import { walletScores } from "../../tables/wallet-scores.ts";
import { numberOfDay } from "../../definition/day-of.ts";
import { packSlice, type PackedSlice } from "./pack-slice.ts";
import { samplesOf } from "./samples-of-day.ts";
import { readSlice } from "./scored-span-sql.ts";
import { inNewestPool } from "./newest-pool-sql.ts";

/** The column of wallet_scores by which each part is ranked. */
const RANKED_BY: Readonly<Record<keyof PoolColumns, string>> = {
  skill: "edge_low",
  profit: "capped_pnl_usd",
  sharpe: "sharpe_probability",
  calm: "calm",
  timing: "clv",
  breadth: "breadth",
};
const PARTS = Object.keys(RANKED_BY) as (keyof PoolColumns)[];
/** The engine omits nulls from an array, as a ranking does. */
const ARRAYS = joined(
  PARTS.map((part) => fromDefinition(`groupArray(${RANKED_BY[part]})`)),
  fromDefinition(", "),
);
const REAL_BYTES = 8;

/** Exact values by which the pool of a category on a day (YYYY-MM-DD) was ranked. Throws StoreError. */
async function readPoolColumns(day: string, category: string, read: ReadEngine): Promise<PoolColumns> {
  const rows = sql`${walletScores} FINAL WHERE day = ${bind("Date", day)} AND category = ${bind("String", category)} AND NOT is_gone`;
  const bytes = await read.bytes(sql`SELECT ${ARRAYS} FROM ${rows}`, "RowBinary");
  const from = new ByteReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), 0);
  const next = (): Float64Array => {
    const count = from.varint();
    const end = from.at + count * REAL_BYTES;
    const reals = new Float64Array(new Uint8Array(bytes.subarray(from.at, end)).buffer);
    from.at = end;
    return reals;
  };
  return Object.fromEntries(PARTS.map((part) => [part, next()])) as Record<keyof PoolColumns, Float64Array>;
}

type SampleOf = { readonly day: string; readonly wallet: string };

const sampleName = ({ day, wallet }: SampleOf): string => `${day} ${wallet}`;

/** Samples of some wallets on some days from which scores are computed, by `sampleName`. Throws StoreError. */
async function readDrawnSamples(
  requested: readonly SampleOf[],
  read: ReadEngine,
): Promise<ReadonlyMap<string, WalletSample>> {
  const days = [...new Set(requested.map(({ day }) => day))].sort();
  const wallets = [...new Set(requested.map(({ wallet }) => wallet))].sort();
  const span = { first: days[0] ?? "", last: days.at(-1) ?? "" };
  const slice = packSlice(wallets, await readSlice(span, wallets, read.bytes, true));
  return beside(samplesByName(slice, days));
}

function* samplesByName(slice: PackedSlice, days: readonly string[]): Generator<void, Map<string, WalletSample>> {
  const found = new Map<string, WalletSample>();
  for (const day of days) {
    for (const sample of samplesOf(slice, numberOfDay(day), 0))
      found.set(sampleName({ day, wallet: sample.wallet }), sample);
    yield;
  }
  return found;
}

/** Columns of a row of wallet_scores from which its bounds are drawn. */
export type Drawable = SampleOf &
  PoolScales &
  Readonly<Record<"category" | "version", string>> &
  Readonly<Record<"prior" | "penalty", number>>;
type Bounds = { readonly low: number; readonly high: number; readonly isWide: boolean };

export type Drawn<Row extends Drawable = Drawable> = Row & Bounds;

/** Columns of a Drawable of wallet_scores. */
export const DRAWABLE: Sql = sql`toString(day) AS day, category, ${hexOf(sql`wallet`)} AS wallet, toString(version) AS version, edge_prior AS prior, luck_scale AS scale, edges_between AS between, wash_factor * sybil_factor * farmer_factor * maker_factor AS penalty`;

const MAX_KEPT = 50_000;
const kept = new WeakMap<ReadEngine, LRUCache<string, Bounds>>();

const seedOf = ({ day, category, wallet }: Drawable): string => `${day} ${category} ${wallet}`;

/**
 * Some scores with their bounds, drawn once for each version of a score and alongside other work. Omits rows without
 * these columns, and wallets whose entries were retracted since. Throws StoreError.
 */
export async function drawBounds<Row extends Drawable>(rows: readonly Row[], read: ReadEngine): Promise<Drawn<Row>[]> {
  const known = kept.get(read) ?? new LRUCache<string, Bounds>(atMost(MAX_KEPT));
  kept.set(read, known);
  const keyOf = (row: Drawable): string => `${row.version} ${seedOf(row)}`;
  const missing = rows.filter((row) => row.scale > 0 && !known.has(keyOf(row)));
  const samples = missing.length === 0 ? undefined : await readDrawnSamples(missing, read);
  const pools = Map.groupBy(missing, ({ day, category, scale, between }) =>
    JSON.stringify([day, category, scale, between]),
  );
  for (const some of pools.values()) {
    const [first] = some as [Drawable, ...Drawable[]];
    const judge = createJudge(first, await readPoolColumns(first.day, first.category, read));
    await beside(
      (function* drawEach() {
        for (const row of some) {
          const bounds = drawOne(row, samples?.get(sampleName(row)), judge);
          if (bounds !== undefined) known.set(keyOf(row), bounds);
          yield;
        }
      })(),
    );
  }
  return rows.flatMap((row) => {
    const bounds = known.get(keyOf(row));
    return bounds === undefined ? [] : [Object.assign({}, row, bounds)];
  });
}

function drawOne(row: Drawable, sample: WalletSample | undefined, judge: Judge): Bounds | undefined {
  const events = sample?.events.filter(({ category }) => categoryPaths(category).includes(row.category)) ?? [];
  if (sample === undefined || events.length === 0) return undefined;
  const { prior, penalty } = row;
  const [low, high] = bootstrapScore({ events, days: sample.days, prior, penalty, judge, seed: seedOf(row) });
  return { low, high, isWide: high - low > WIDE };
}

const WALLET_BYTES = 20;

export type PoolRequested = {
  /** An expression of type Date. */
  readonly asOf: Sql;
  readonly category: Bound | undefined;
  /** 0x-hex. */
  readonly wallets: readonly string[];
};

/**
 * Scores of some wallets of the newest pool of a category with their bounds; `rows` reads the inputs of the draw.
 * Throws StoreError.
 */
export async function poolBounds(
  { asOf, category, wallets }: PoolRequested,
  read: ReadEngine,
  rows: (statement: Sql) => Promise<readonly Drawable[]> = read.rows,
): Promise<Drawn[]> {
  if (wallets.length === 0) return [];
  const these = isOneOf(sql`wallet`, wallets, WALLET_BYTES);
  const scored = await rows(
    sql`SELECT ${DRAWABLE} FROM (SELECT * FROM ${walletScores} FINAL WHERE ${inNewestPool(asOf, category)} AND ${these})`,
  );
  return drawBounds(scored, read);
}
