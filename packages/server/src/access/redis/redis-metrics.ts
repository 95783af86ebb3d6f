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
    help: "1 while Redis responds; 0 while each process enforces its limits on its own. Always 0 without REDIS_URL.",
    registers,
  });
  const without = new Counter({
    name: "almanac_redis_missed_total",
    help: "Calls that Redis did not answer in time; this process enforced their limits instead.",
    registers,
  });
  return { here: (isHere) => up.set(isHere ? 1 : 0), without: () => without.inc() };
}
