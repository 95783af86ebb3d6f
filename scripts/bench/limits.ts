import { memoryAllowances, type Allowances } from "../../packages/server/src/access/allowances.ts";
import { openRedis, type OpenRedis } from "../../packages/server/src/access/redis/open-redis.ts";
import { redisAllowances } from "../../packages/server/src/access/redis/redis-allowances.ts";
import { redisAbsence, startRedis } from "../../packages/server/test/access/start-redis.ts";

export type LimitsBench = {
  /** How long each line is measured. */
  readonly seconds: number;
  /** How many claims are under way at once. */
  readonly clients: readonly number[];
};

/** Different keys, so that a bucket is rarely the one asked before. */
const KEYS = 1000;
const PLAN = { requestsPerMinute: 600, burst: 120 };

/** What a claim on an allowance costs: in this process, in a Redis beside it, and while that is away. */
export async function benchLimits({ seconds, clients }: LimitsBench): Promise<void> {
  const absence = redisAbsence();
  say(["where", "at once", "claims/s", "p50 µs", "p99 µs", "p99.9 µs", "not in Redis"]);
  const here = memoryAllowances(Date.now);
  for (const atOnce of clients) await measure("memory", here, () => 0, { atOnce, seconds });
  if (absence !== undefined) {
    process.stderr.write(`Redis: ${absence}\n`);
    return;
  }
  const server = await startRedis();
  let missed = 0;
  const redis = await connect(server.url, () => (missed += 1));
  const count = (): number => missed;
  try {
    const allowances = redisAllowances(redis, memoryAllowances(Date.now));
    for (const atOnce of clients) await measure("Redis", allowances, count, { atOnce, seconds });
    await server.down();
    for (const atOnce of clients) await measure("Redis away", allowances, count, { atOnce, seconds });
  } finally {
    await redis.close();
    await server.stop();
  }
}

async function connect(url: string, without: () => void): Promise<OpenRedis> {
  const log = { warn: () => undefined, info: () => undefined };
  return await openRedis(url, { log, metrics: { here: () => undefined, without } });
}

async function measure(
  where: string,
  allowances: Allowances,
  missed: () => number,
  { atOnce, seconds }: { atOnce: number; seconds: number },
): Promise<void> {
  const claimants = Array.from({ length: KEYS }, (_, index) => ({ keyId: `key_${index}`, plan: PLAN }));
  const taken: number[] = [];
  let next = 0;
  let isWarm = false;
  const ask = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      const claimant = claimants[(next += 1) % KEYS];
      if (claimant === undefined) continue;
      const asked = performance.now();
      await allowances.take(claimant);
      if (isWarm) taken.push(performance.now() - asked);
    }
  };
  const run = async (forSeconds: number): Promise<void> => {
    const until = performance.now() + forSeconds * 1000;
    await Promise.all(Array.from({ length: atOnce }, async () => await ask(until)));
  };
  await run(Math.min(1, seconds / 5));
  isWarm = true;
  const before = missed();
  await run(seconds);
  const sorted = Float64Array.from(taken).sort();
  const at = (share: number): string => ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 1000).toFixed(1);
  say([
    where,
    String(atOnce),
    String(Math.round(taken.length / seconds)),
    at(0.5),
    at(0.99),
    at(0.999),
    String(missed() - before),
  ]);
}

const say = (cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(" | ")} |\n`);
