import { Counter, Gauge, type Registry } from "prom-client";

export type RedisMetrics = {
  /** Sets whether Redis answers. */
  readonly here: (isHere: boolean) => void;
  /** Counts an operation that was done without Redis. */
  readonly without: () => void;
};

export function createRedisMetrics(registry: Registry): RedisMetrics {
  const registers = [registry];
  const up = new Gauge({
    name: "almanac_redis_up",
    help: "1 while Redis answers; 0 while each process keeps its limits by itself. Always 0 without REDIS_URL.",
    registers,
  });
  const without = new Counter({
    name: "almanac_redis_missed_total",
    help: "Questions that Redis did not answer in time: their limits were kept by this process.",
    registers,
  });
  return { here: (isHere) => up.set(isHere ? 1 : 0), without: () => without.inc() };
}
