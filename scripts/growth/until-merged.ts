import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../packages/server/src/definition/sql.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";

const MOST_MS = 900_000;

/** Waits until nothing is merged for three seconds, at most a quarter of an hour. */
export async function untilMerged(store: OpenStore): Promise<void> {
  const deadline = Date.now() + MOST_MS;
  for (let calm = 0; calm < 3 && Date.now() < deadline;) {
    const [found] = await store.rows<{ n: string }>(sql`SELECT toString(count()) AS n FROM system.merges`);
    calm = found?.n === "0" ? calm + 1 : 0;
    await sleep(1_000);
  }
}
