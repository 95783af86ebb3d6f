import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateScale } from "./generate-scale.ts";
import { LINE_TABLES } from "./line-tables.ts";
import { OUTPUT_TABLES, type OutputTable } from "./output-table.ts";
import { ParquetQueue, type RowFile, toParquet } from "./parquet-queue.ts";
import type { ShardResult } from "./polymarket-shard.ts";
import { Worker } from "node:worker_threads";
import type { Chunk } from "./shard-files.ts";
import type { WorkerJob } from "./shard-worker.ts";

export interface GenerateOptions {
  /** Minimum number of fills (legs: OrderFilled logs). */
  fills: number;
  /** Output folder; earlier output of the generator there is replaced. */
  out: string;
  seed: number;
  /** Approximate number of days over which the fills spread; default 200. */
  days?: number | undefined;
  /** Approximate number of wallets; default by the number of fills. */
  wallets?: number | undefined;
  /** Called a few times a second. */
  onProgress?: (progress: GenerateProgress) => void;
}

export interface GenerateProgress {
  fills: number;
  /** Rows of all tables already converted to Parquet. */
  rows_written: number;
  phase: "fills" | "tables" | "done";
}

/** Also written to `out`/manifest.json. */
export interface GenerateReport {
  seed: number;
  fills: number;
  matches: number;
  markets: number;
  wallets: number;
  from_ms: number;
  to_ms: number;
  kalshi_markets: number;
  kalshi_trades: number;
  book_changes: number;
  rows: Record<string, number>;
}

const DAY = 86_400_000;
/** Start time of the world: the first day of the V2 exchange. */
const START = Date.UTC(2026, 3, 28);

async function prepare(out: string): Promise<string> {
  const files = Object.values(OUTPUT_TABLES).flatMap((table: OutputTable) => table.files);
  const folders = new Set(files.map(({ file }) => file.split("/")[0] as string));
  const made = [...folders, "truth", "tmp"];
  for (const folder of made) await rm(join(out, folder), { recursive: true, force: true });
  for (const folder of made) await mkdir(join(out, folder), { recursive: true });
  return join(out, "tmp");
}

async function writeLineTables(out: string, folder: string): Promise<void> {
  for (const table of LINE_TABLES) {
    const { lines, file, structure, select, rest } = table;
    const source: RowFile = { path: join(folder, lines), format: "JSONEachRow", structure, decoded: "*" };
    await toParquet(source, select, join(out, file), rest);
  }
}

/**
 * Writes a world of at least `fills` fills as Parquet, with the matching, crowd and events of the served world. The
 * same seed and `fills` give the same rows. Two shards (markets and wallets are split between them) run in two threads;
 * memory stays below 3 GiB.
 *
 * Each file has the columns of the service table it is named after (`almanac load`): `polymarket_markets.parquet`, or
 * parts in a folder, `polymarket_fills/part-S-N.parquet`, in time order within a shard S. `truth/wallets.parquet` has
 * each wallet's cash profit: wallet 0x-hex, cash_pnl_micro Int64 (1e-6 USD, exact).
 */
export async function generate(options: GenerateOptions): Promise<GenerateReport> {
  const { seed, out, fills } = options;
  const scale = generateScale(fills, options.days ?? 200, options.wallets);
  const folder = await prepare(out);
  const parquet = new ParquetQueue(out);
  const made = [0, 0];
  const publish = (phase: GenerateProgress["phase"]): void =>
    options.onProgress?.({ fills: (made[0] ?? 0) + (made[1] ?? 0), rows_written: parquet.rows, phase });
  const { waiting } = parquet;
  const onChunk = parquet.add.bind(parquet);
  const shards = [0, 1].map((shard) =>
    runWorker<ShardResult>(
      { waiting, folder, polymarket: { seed, shard, start: START, scale, folder } },
      onChunk,
      (count) => {
        made[shard] = count;
        publish("fills");
      },
    ),
  );
  const kalshiJob = { seed, start: START, end: START + scale.days * DAY, scale, folder };
  const kalshi = runWorker<{ kalshi_trades: number; kalshi_markets: number }>(
    { waiting, folder, kalshi: kalshiJob },
    onChunk,
    () => {},
  );
  try {
    const results = await Promise.all(shards.map((shard) => shard.result));
    const other = await kalshi.result;
    await parquet.settle();
    publish("tables");
    await writeLineTables(out, folder);
    const sum = (key: keyof ShardResult): number => results.reduce((total, result) => total + result[key], 0);
    const report: GenerateReport = {
      seed,
      fills: sum("fills"),
      matches: sum("matches"),
      markets: sum("markets"),
      wallets: scale.wallets * 2,
      from_ms: START,
      to_ms: Math.max(...results.map((result) => result.last_ms)),
      ...other,
      book_changes: sum("book_changes"),
      rows: parquet.byTable,
    };
    await writeFile(join(out, "manifest.json"), `${JSON.stringify(report, null, 2)}\n`);
    publish("done");
    return report;
  } finally {
    for (const worker of [...shards, kalshi]) worker.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Messages from a worker. */
type Said<R> = { chunk: Chunk } | { fills: number } | { result: R };

/** Runs one shard in its own thread; rejects when it fails or ends without a result. */
function runWorker<R>(
  job: WorkerJob,
  onChunk: (chunk: Chunk) => void,
  onFills: (fills: number) => void,
): { result: Promise<R>; stop: () => void } {
  const worker = new Worker(new URL("./shard-worker.ts", import.meta.url), { workerData: job });
  const result = new Promise<R>((resolve, reject) => {
    worker.on("message", (said: Said<R>) => {
      if ("chunk" in said) onChunk(said.chunk);
      else if ("fills" in said) onFills(said.fills);
      else resolve(said.result);
    });
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`Shard ended with code ${code} and no result`)));
  });
  return { result, stop: () => void worker.terminate() };
}
