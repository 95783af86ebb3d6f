import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { Registry } from "prom-client";
import { derivations, folds } from "../../packages/server/src/catalogue.ts";
import type { TableRows } from "../../packages/server/src/definition/connector.ts";
import { bind, sql } from "../../packages/server/src/definition/sql.ts";
import type { InsertRow } from "../../packages/server/src/definition/table.ts";
import { systemClock } from "../../packages/server/src/ingest/clock.ts";
import { createDeriver } from "../../packages/server/src/ingest/derive.ts";
import { openCheckpointFolder } from "../../packages/server/src/ingest/fold/checkpoints.ts";
import { createIngestMetrics } from "../../packages/server/src/ingest/ingest-metrics.ts";
import { createWrite } from "../../packages/server/src/ingest/write.ts";
import { openRecords } from "../../packages/server/src/records/records.ts";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import type { Store } from "../../packages/server/src/store/store.ts";
import { polymarketFills } from "../../packages/server/src/tables/polymarket-fills.ts";
import { childrenOf, treeCpuSeconds } from "./process-use.ts";

export type LiveBench = {
  readonly data: string;
  readonly fills: number;
  /** Stores into the last day, which is over, in one page as the check stream does; else into the day after it. */
  readonly isLate: boolean;
};

const BLOCKS = 30;
const BLOCK_SECONDS = 2;
const IDLE_MS = 60_000;
const QUIET_LOOKS = 20;
const DAY_SECONDS = 86_400;
/** A run stores fewer fills than this, so the last day with more is the last of the world's own. */
const FULL_DAY = 5_000;
const SLOW = { settings: { max_execution_time: 120 } };
/** Nothing was stored for these blocks, so there is nothing to roll back. */
const NOTHING_LEFT = { mend: async () => undefined, begin: async () => undefined };

/**
 * CPU of a minute of fills, including storage and everything derived from them, compared with a minute without any: the
 * last fills of a store, stored again under other transactions as this many blocks. They stay in it.
 */
export async function benchLive({ data, fills, isLate }: LiveBench): Promise<void> {
  const folder = resolve(data);
  if (!existsSync(join(folder, "columns")))
    throw new Error(`${folder} holds no store. Make one:\n  npm run bench -- derive --fills 1000000 --folder DIR`);
  if (!(fills >= 1 && fills <= FULL_DAY)) throw new Error(`--fills ${fills}: give a number from 1 to ${FULL_DAY}`);
  const store = await openStore({ folder: join(folder, "columns") });
  const records = await openRecords({ dataDir: folder });
  const checkpoints = openCheckpointFolder(join(folder, "checkpoints"));
  const stop = new AbortController();
  try {
    const begins = await findBegin(store, isLate);
    const rows = await lastFills(store, fills);
    if (rows.length === 0)
      throw new Error(`${folder} has no day with more than ${FULL_DAY} fills: take a larger store`);
    const blocks = inBlocks(rows, begins, isLate ? 1 : BLOCKS);
    const today = isLate ? begins.ts + DAY_SECONDS : begins.ts;
    const began = Date.now();
    const metrics = createIngestMetrics(new Registry());
    const shared = { store, db: records.db, metrics, log: pino({ level: "error" }), checkpoints, clock: systemClock };
    const venueNow = (): number => today * 1000 + (Date.now() - began);
    const deriver = createDeriver({ ...shared, derivations, folds, venueNow });
    const write = createWrite({ store, deriver, metrics, announceKnown: false });
    const running = deriver.run(stop.signal);
    await settled(deriver.pending);
    const idle = await spent(() => sleep(IDLE_MS));
    let stored = 0;
    const live = await spent(async () => {
      for (const [index, block] of blocks.entries()) {
        const next = Date.now() + BLOCK_SECONDS * 1000;
        await write("bench", block, NOTHING_LEFT);
        if (index === blocks.length - 1) stored = Date.now();
        await sleep(Math.max(0, next - Date.now()));
      }
      await settled(deriver.pending);
    });
    const waited = (Date.now() - stored) / 1000;
    const wallets = new Set(rows.map(({ wallet }) => wallet)).size;
    const line = (name: string, { service, engine }: Spent): string =>
      `${name}: ${(service + engine).toFixed(1)} CPU s (service ${service.toFixed(1)}, engine ${engine.toFixed(1)})\n`;
    process.stdout.write(line("an idle minute", idle));
    process.stdout.write(line(`${rows.length} fills of ${wallets} wallets${isLate ? ", a day late" : ""}`, live));
    process.stdout.write(`nothing waits any more ${waited.toFixed(0)} s after the last of them\n`);
    stop.abort(new Error("measured"));
    await running;
  } finally {
    stop.abort(new Error("measured"));
    checkpoints.close();
    await records.close();
    await store.close();
  }
}

type Begin = { readonly ts: number; readonly block: number };

/** Time at which the first of the fills is stored, and its block. */
async function findBegin(store: Store, isLate: boolean): Promise<Begin> {
  const [row] = await store.rows<{ last: string; newest: string; block: string }>(
    sql`SELECT toString(toUnixTimestamp(${worldEnd})) AS last, toString(toUnixTimestamp(toStartOfDay(max(ts)))) AS newest, toString(max(block_number)) AS block FROM ${polymarketFills}`,
    SLOW,
  );
  const noon = Number(row?.newest) + 1.5 * DAY_SECONDS;
  return { ts: isLate ? Number(row?.last) - BLOCKS * BLOCK_SECONDS : noon, block: Number(row?.block) + 1 };
}

const worldEnd = sql`(SELECT max(ts) FROM ${polymarketFills} WHERE toDate(ts) = (SELECT max(day) FROM (SELECT toDate(ts) AS day FROM ${polymarketFills} GROUP BY day HAVING count() > ${bind("UInt32", FULL_DAY)})))`;

function lastFills(store: Store, count: number): Promise<Record<string, string>[]> {
  return store.rows<Record<string, string>>(
    sql`SELECT lower(hex(tx_hash)) AS tx_hash, concat('0x', lower(hex(order_hash))) AS order_hash, concat('0x', lower(hex(wallet))) AS wallet, toString(token_id) AS token_id, toString(side) AS side, toString(role) AS role, toString(match_kind) AS match_kind, toString(shares) AS shares, toString(usd) AS usd, toString(fee_usd) AS fee_usd, log_index FROM ${polymarketFills} WHERE ts <= ${worldEnd} ORDER BY ts DESC, block_number DESC, log_index DESC LIMIT ${bind("UInt32", count)}`,
    SLOW,
  );
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Grouped as the chain's stream delivers them: all fills of a block together. */
function inBlocks(rows: readonly Record<string, string>[], begin: Begin, count: number): TableRows[] {
  const run = randomBytes(8).toString("hex");
  const own = (hash = ""): string => `0x${createHash("sha256").update(run).update(hash).digest("hex")}`;
  return Array.from({ length: count }, (_, index) => {
    const [ts, block] = [begin.ts + index * BLOCK_SECONDS, begin.block + index];
    const some = rows.filter((_row, place) => place % count === index);
    const reported = { ts, block_number: block, source: "chain_v2" };
    const made = some.map((row): InsertRow => Object.assign({ ...row }, { tx_hash: own(row["tx_hash"]) }, reported));
    const allOf = { from: block, to: block, since: iso(ts - BLOCK_SECONDS), until: iso(ts) };
    return { table: polymarketFills, rows: made, allOf };
  });
}

async function settled(pending: () => Readonly<Record<string, number>>): Promise<void> {
  for (let quiet = 0; quiet < QUIET_LOOKS; await sleep(100))
    quiet = Object.values(pending()).some((size) => size > 0) ? 0 : quiet + 1;
}

type Spent = { readonly service: number; readonly engine: number };

const engineSeconds = (): number => treeCpuSeconds(childrenOf(process.pid));

async function spent(work: () => Promise<unknown>): Promise<Spent> {
  const [cpu, engine] = [process.cpuUsage(), engineSeconds()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { service: (user + system) / 1e6, engine: engineSeconds() - engine };
}
