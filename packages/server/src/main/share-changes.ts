import type { OpenRedis } from "../access/redis/open-redis.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { OpenStore } from "../store/open-store.ts";

/** Of one table at most so often: a stream may store many times a second. */
const EVERY_MS = 100;

/**
 * Tells the other processes which tables this one stored in, and hears of theirs: an answer that was kept is not given
 * again once it is out of date. Where Redis is away kept answers live their second, as without it.
 */
export function shareChanges(
  store: Pick<OpenStore, "onChanged" | "outdated">,
  redis: Pick<OpenRedis, "tell" | "listen">,
  tables: readonly TableDefinition[],
): void {
  const waiting = new Set<string>();
  const told = new Map<string, number>();
  const tell = (name: string): void => {
    waiting.delete(name);
    told.set(name, Date.now());
    redis.tell(channelOf(name));
  };
  store.onChanged(({ name }) => {
    if (waiting.has(name)) return;
    const rest = (told.get(name) ?? 0) + EVERY_MS - Date.now();
    if (rest <= 0) return tell(name);
    waiting.add(name);
    setTimeout(() => tell(name), rest).unref();
  });
  for (const table of tables) redis.listen(channelOf(table.name), () => store.outdated(table));
}

const channelOf = (table: string): string => `almanac:stored:${table}`;
