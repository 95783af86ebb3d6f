import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import pino from "pino";
import { Registry } from "prom-client";
import { derivations, folds } from "../../packages/server/src/catalogue.ts";
import { bind, sql } from "../../packages/server/src/definition/sql.ts";
import type { InsertRow } from "../../packages/server/src/definition/table.ts";
import { systemClock } from "../../packages/server/src/ingest/clock.ts";
import { createDeriver } from "../../packages/server/src/ingest/derive.ts";
import { createIngestMetrics } from "../../packages/server/src/ingest/ingest-metrics.ts";
import { createWrite } from "../../packages/server/src/ingest/write.ts";
import { openRecords } from "../../packages/server/src/records/records.ts";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import type { Store } from "../../packages/server/src/store/store.ts";
import { polymarketFills } from "../../packages/server/src/tables/polymarket-fills.ts";
import { childrenOf } from "./memory.ts";
import { cpuSeconds } from "./process-use.ts";

/** What a minute of live fills cost, storing them included. */
export type LiveCost = {
  readonly fills: number;
  readonly wallets: number;
  /** From the last batch's storing to the moment when nothing waited any more. */
  readonly seconds: number;
  readonly service_s: number;
  readonly engine_s: number;
  /** The same two of a minute without fills. */
  readonly idle: { readonly service_s: number; readonly engine_s: number };
  /** Rows that the fold wrote. */
  readonly rows: number;
};

const BATCHES = 30;
const EVERY_MS = 2000;
const LONGEST_MS = 600_000;

/** Stores the world's last `count` fills again as those of the minute after it, every two seconds as the chain stream does. */
export async function measureLive(data: string, count: number): Promise<LiveCost> {
  const store = await openStore({ folder: join(data, "columns") });
  const records = await openRecords({ dataDir: data });
  const stop = new AbortController();
  try {
    const rows = await nextMinute(store, count);
    const base = Number(rows[0]?.["ts"]) * 1000;
    const started = Date.now();
    const venueNow = (): number => base + (Date.now() - started);
    const metrics = createIngestMetrics(new Registry());
    const shared = { store, db: records.db, metrics, log: pino({ level: "error" }) };
    const deriver = createDeriver({ ...shared, derivations, folds, clock: systemClock, venueNow });
    const write = createWrite({ store, deriver, metrics, announceKnown: false });
    const running = deriver.run(stop.signal);
    await settled(deriver.pending);
    const idle = await spent(() => systemClock.sleep(BATCHES * EVERY_MS, stop.signal));
    const before = await foldRows(store);
    let last = 0;
    const cost = await spent(async () => {
      const began = Date.now();
      for (let batch = 0; batch < BATCHES; batch += 1) {
        const some = rows.slice(Math.floor((batch * count) / BATCHES), Math.floor(((batch + 1) * count) / BATCHES));
        await write("bench", { table: polymarketFills, rows: some });
        await systemClock.sleep(Math.max(0, began + (batch + 1) * EVERY_MS - Date.now()), stop.signal);
      }
      last = Date.now();
      await settled(deriver.pending);
    });
    const seconds = (Date.now() - last) / 1000;
    stop.abort();
    await running;
    const wallets = new Set(rows.map((row) => row["wallet"])).size;
    return { fills: rows.length, wallets, seconds, ...cost, idle, rows: (await foldRows(store)) - before };
  } finally {
    stop.abort();
    await records.close();
    await store.close();
  }
}

/**
 * The last fills of the world, spread over a minute of the day after it, with transactions of their own. Its own last day
 * is closed: what comes late to that concerns everyone who holds what was traded.
 */
async function nextMinute(store: Store, count: number): Promise<InsertRow[]> {
  const run = randomBytes(8).toString("hex");
  const rows = await store.rows<Record<string, string>>(
    sql`SELECT toUnixTimestamp(toStartOfDay((SELECT max(ts) FROM ${polymarketFills})) + INTERVAL 36 HOUR) AS noon, lower(hex(tx_hash)) AS tx_hash, lower(hex(order_hash)) AS order_hash, lower(hex(wallet)) AS wallet, toString(token_id) AS token_id, toString(side) AS side, toString(role) AS role, toString(match_kind) AS match_kind, toString(shares) AS shares, toString(usd) AS usd, toString(fee_usd) AS fee_usd, block_number, log_index, toString(source) AS source FROM ${polymarketFills} ORDER BY ts DESC, block_number DESC, log_index DESC LIMIT ${bind("UInt32", count)}`,
    { settings: { max_execution_time: 120, max_threads: 2 } },
  );
  return rows.toReversed().map(({ noon, tx_hash = "", order_hash, wallet, ...row }, index) =>
    Object.assign(row, {
      ts: Number(noon) + 1 + Math.floor((index * 60) / count),
      tx_hash: `0x${createHash("sha256").update(run).update(tx_hash).digest("hex")}`,
      order_hash: `0x${order_hash}`,
      wallet: `0x${wallet}`,
    }),
  );
}

async function foldRows(store: Store): Promise<number> {
  let count = 0;
  for (const table of new Set(folds.flatMap(({ into }) => into))) {
    const [found] = await store.rows<{ n: string }>(sql`SELECT toString(count()) AS n FROM ${table}`);
    count += Number(found?.n);
  }
  return count;
}

async function settled(pending: () => Readonly<Record<string, number>>): Promise<void> {
  const began = Date.now();
  while (Object.values(pending()).some((size) => size > 0)) {
    if (Date.now() - began > LONGEST_MS) throw new Error(`still waiting: ${JSON.stringify(pending())}`);
    await systemClock.sleep(100, new AbortController().signal);
  }
}

const engine = (): number => Math.max(0, ...childrenOf(process.pid).map((pid) => cpuSeconds(pid) || 0));

async function spent(work: () => Promise<void>): Promise<{ service_s: number; engine_s: number }> {
  const before = { cpu: process.cpuUsage(), engine: engine() };
  await work();
  const { user, system } = process.cpuUsage(before.cpu);
  return { service_s: (user + system) / 1e6, engine_s: engine() - before.engine };
}
