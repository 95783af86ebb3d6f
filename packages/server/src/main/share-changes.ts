import type { OpenRedis } from "../access/redis/open-redis.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { OpenStore } from "../store/open-store.ts";

/** Minimum interval between messages for one table: a stream may store many times a second. */
const EVERY_MS = 100;

/**
 * Publishes to the other processes which tables this one stored in, and receives theirs, so that outdated cached
 * answers are not served. While Redis is down cached answers live their one second, as without it.
 */
export function shareChanges(
  store: Pick<OpenStore, "onChanged" | "outdated">,
  redis: Pick<OpenRedis, "publish" | "listen">,
  tables: readonly TableDefinition[],
): void {
  const waiting = new Set<string>();
  const reported = new Map<string, number>();
  const report = (name: string): void => {
    waiting.delete(name);
    reported.set(name, Date.now());
    redis.publish(channelOf(name));
  };
  store.onChanged(({ name }) => {
    if (waiting.has(name)) return;
    const rest = (reported.get(name) ?? 0) + EVERY_MS - Date.now();
    if (rest <= 0) return report(name);
    waiting.add(name);
    setTimeout(() => report(name), rest).unref();
  });
  for (const table of tables) redis.listen(channelOf(table.name), () => store.outdated(table));
}

const channelOf = (table: string): string => `almanac:stored:${table}`;
