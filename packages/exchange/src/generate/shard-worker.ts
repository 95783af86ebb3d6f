import { parentPort, workerData } from "node:worker_threads";
import { ChunkWriter } from "./shard-files.ts";
import { type KalshiJob, runKalshiShard } from "./kalshi-shard.ts";
import { runPolymarketShard, type ShardJob } from "./polymarket-shard.ts";

/** Input of a worker; `waiting[0]` counts the chunks not yet converted to Parquet. */
export interface WorkerJob {
  waiting: Int32Array;
  folder: string;
  polymarket?: ShardJob;
  kalshi?: KalshiJob;
}

/** Workers pause while this many chunks of all workers are queued. */
const MAX_WAITING = 4;

const port = parentPort;
if (port === null) throw new Error("shard-worker.ts runs as a worker only");
const job = workerData as WorkerJob;
const shard = job.polymarket === undefined ? "k" : String(job.polymarket.shard);
const writer = new ChunkWriter(job.folder, shard, (chunk) => {
  Atomics.add(job.waiting, 0, 1);
  port.postMessage({ chunk });
  for (let waiting = Atomics.load(job.waiting, 0); waiting >= MAX_WAITING; waiting = Atomics.load(job.waiting, 0)) {
    Atomics.wait(job.waiting, 0, waiting, 5000);
  }
});
if (job.polymarket !== undefined) {
  const result = runPolymarketShard(job.polymarket, writer, (fills) => port.postMessage({ fills }));
  port.postMessage({ result });
} else if (job.kalshi !== undefined) port.postMessage({ result: runKalshiShard(job.kalshi, writer) });
