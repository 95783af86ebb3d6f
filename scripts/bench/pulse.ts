import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Pool } from "undici";
import { openStore, type OpenStore } from "../../packages/server/src/store/open-store.ts";
import { migrate } from "../../packages/server/src/store/migrate.ts";
import { MIGRATIONS } from "../../packages/server/src/main/open-engines.ts";
import { fromDefinition } from "../../packages/server/src/definition/sql.ts";
import { askEngine, askHttp } from "./ask-question.ts";
import { measure } from "./latency.ts";
import { fillPosts } from "./fill-posts.ts";
import { pulseQuestions } from "./pulse-questions.ts";
import { startService } from "./start-service.ts";

export type PulseBench = {
  readonly posts: number;
  readonly folder: string;
  readonly seconds: number;
  readonly clients: readonly number[];
};

/** Questions about made-up posts of the last three days, over HTTP and straight to the same engine, in turns of one run. */
export async function benchPulse({ posts, folder, seconds, clients }: PulseBench): Promise<void> {
  const data = resolve(folder);
  const columns = join(data, "columns");
  const isMade = existsSync(columns);
  const store = await openStore({ folder: columns });
  try {
    if (!isMade) {
      await migrate(store, MIGRATIONS);
      const started = performance.now();
      await fillPosts(store, posts);
      process.stdout.write(
        `${posts} posts stored and indexed in ${((performance.now() - started) / 1000).toFixed(0)} s\n`,
      );
    }
    process.stdout.write(`${await sizesOf(store)}\n`);
  } finally {
    await store.close();
  }
  const service = await startService(data);
  const beside = await openStore({ folder: columns });
  const pool = new Pool(service.baseUrl, { connections: Math.max(...clients), pipelining: 1 });
  const lines: unknown[] = [];
  try {
    for (const question of pulseQuestions) {
      for (const count of clients) {
        const http = await measure(count, seconds, (turn) => askHttp(pool, service.key, question, turn));
        const engine = await measure(count, seconds, (turn) => askEngine(beside, question, turn + 1_000_000));
        lines.push({ question: question.name, clients: count, http, engine });
        const shown = [http.p50, http.p99, http.perSecond, engine.p50, engine.p99].map((value) =>
          value.toFixed(1).padStart(8),
        );
        process.stdout.write(
          `${question.name.padEnd(34)} ${String(count).padStart(2)} clients | http p50 ${shown[0]} p99 ${shown[1]} ms ${shown[2]}/s failed ${http.failed} | engine p50 ${shown[3]} p99 ${shown[4]} ms\n`,
        );
      }
    }
    writeFileSync(join(data, "bench-pulse.json"), JSON.stringify({ at: new Date().toISOString(), lines }, null, 1));
  } finally {
    await pool.close();
    await beside.close();
    await service.stop();
  }
}

async function sizesOf(store: OpenStore): Promise<string> {
  const rows = await store.rows<{ line: string }>(
    fromDefinition(
      "SELECT concat(table, ': ', toString(sum(rows)), ' rows, ', formatReadableSize(sum(bytes_on_disk)), ' of which indexes ', formatReadableSize(sum(secondary_indices_compressed_bytes)), ', parts ', toString(count())) AS line FROM system.parts WHERE active AND database = currentDatabase() AND startsWith(table, 'social_') GROUP BY table ORDER BY table",
    ),
  );
  return rows.map(({ line }) => line).join("\n");
}
