import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Pool } from "undici";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import { askEngine, askHttp, hasStatement } from "./ask-question.ts";
import { benchQuestions } from "./questions.ts";
import { measure, type Measured } from "./latency.ts";
import { matching } from "../read-options.ts";
import { startService } from "./start-service.ts";

export type QueryBench = {
  readonly data: string;
  readonly seconds: number;
  readonly clients: readonly number[];
  /** Run only the queries whose name begins with one of these; all when empty. */
  readonly only: readonly string[];
};
type Line = { question: string; clients: number; over: "http" | "engine" } & Measured;

/** Each dataset over HTTP and, if it has any, its SQL directly on the same engine, alternating within one run. */
export async function benchQuery({ data, seconds, clients, only }: QueryBench): Promise<void> {
  const folder = resolve(data);
  if (!existsSync(join(folder, "columns"))) {
    throw new Error(
      `${folder} holds no store. Make one:\n  npm run exchange -- generate --fills 20000000 --out /tmp/world --seed 7\n  ALMANAC_DATA_DIR=${folder} npm run almanac -- load /tmp/world`,
    );
  }
  const service = await startService(folder);
  const store = await openStore({ folder: join(folder, "columns") });
  const lines: Line[] = [];
  try {
    const rest = service.memory();
    const questions = matching("only", only, await benchQuestions(store));
    const pool = new Pool(service.baseUrl, { connections: Math.max(...clients), pipelining: 1 });
    for (const question of questions) {
      for (const count of clients) {
        const over = async (where: Line["over"], ask: (turn: number) => Promise<boolean>): Promise<Line> => {
          const measured = await measure(count, seconds, ask);
          return { question: question.name, clients: count, over: where, ...measured };
        };
        const http = await over("http", (turn) => askHttp(pool, service.key, question, turn));
        const asEngine = (turn: number): Promise<boolean> => askEngine(store, question, turn + 1_000_000);
        const engine = hasStatement(question) ? await over("engine", asEngine) : undefined;
        lines.push(http, ...(engine ? [engine] : []));
        printLine(http, engine);
      }
    }
    const load = service.memory();
    const [size] = await store.rows<{ fills: string; bytes: string }>({
      kind: "sql",
      text: "SELECT toString((SELECT count() FROM polymarket_fills)) AS fills, toString(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND startsWith(table, 'polymarket_fills')",
      values: [],
    });
    const perFill = Number(size?.bytes) / Number(size?.fills);
    process.stdout.write(`\nfills ${size?.fills}, ${perFill.toFixed(1)} bytes a fill on disk in three sort orders\n`);
    process.stdout.write(
      `memory at rest ${rest.service_mib.toFixed(0)} + ${rest.engine_mib.toFixed(0)} MiB, after load ${load.service_mib.toFixed(0)} + ${load.engine_mib.toFixed(0)} MiB (service + engine)\n`,
    );
    writeFileSync(
      join(folder, "bench-query.json"),
      JSON.stringify({ at: new Date().toISOString(), size, rest, load, lines }, null, 1),
    );
    await pool.close();
  } finally {
    await store.close();
    await service.stop();
  }
}

const cell = (value: number): string => value.toFixed(1).padStart(8);

function printLine(http: Line, engine: Line | undefined): void {
  const timesOf = ({ p50, p99, perSecond }: Line): string =>
    `p50 ${cell(p50)} p99 ${cell(p99)} ms ${cell(perSecond)}/s`;
  process.stdout.write(
    `${http.question.padEnd(26)} ${String(http.clients).padStart(2)} clients | http ${timesOf(http)} failed ${http.failed}${engine ? ` | engine ${timesOf(engine)}` : ""}\n`,
  );
}
