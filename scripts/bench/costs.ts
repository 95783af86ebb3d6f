import { join, resolve } from "node:path";
import { Pool } from "undici";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import { ENDPOINT } from "./ask-question.ts";
import { costQuestions, type CostQuestion } from "./cost-questions.ts";
import { childrenOf, cpuSeconds } from "./process-use.ts";
import { matching } from "../read-options.ts";
import { startService } from "./start-service.ts";

const TURNS = 4;
const MAX_ROWS = 200;

/** CPU of the engine and the service for the most expensive queries of the free plan, alongside their cost in units. */
export async function benchCosts(data: string, only: readonly string[]): Promise<void> {
  const folder = resolve(data);
  const service = await startService(folder);
  const store = await openStore({ folder: join(folder, "columns") });
  const pool = new Pool(service.baseUrl, { connections: 1 });
  const [engine = 0] = childrenOf(service.pid);
  const used = (): readonly [number, number] => [cpuSeconds(engine), cpuSeconds(service.pid)];
  try {
    process.stdout.write(
      "| question | units | engine CPU ms | service CPU ms | ms | status |\n|---|---|---|---|---|---|\n",
    );
    for (const question of matching("only", only, await costQuestions(store))) {
      await ask(pool, service.key, question, 0);
      const before = used();
      const began = performance.now();
      let reported = "";
      for (let turn = 1; turn <= TURNS; turn += 1) reported = await ask(pool, service.key, question, turn);
      const took = (performance.now() - began) / TURNS;
      const [byEngine, byService] = used().map((seconds, index) => ((seconds - (before[index] ?? 0)) * 1000) / TURNS);
      const [units, status] = reported.split(" ");
      const cells = [units, byEngine?.toFixed(0), byService?.toFixed(0), took.toFixed(0), status];
      process.stdout.write(`| ${question.name} | ${cells.join(" | ")} |\n`);
    }
  } finally {
    await pool.close();
    await store.close();
    await service.stop();
  }
}

async function ask(pool: Pool, key: string, question: CostQuestion, turn: number): Promise<string> {
  const { agentId, params, more } = question;
  const { limit = MAX_ROWS, offset = 0, format = "raw" } = more;
  const body = JSON.stringify({
    agent_id: agentId,
    params: params(turn),
    // One row fewer each time, so that no cached response is hit.
    pagination: { limit: limit - turn, offset },
    formatter_config: { format_type: format },
  });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await pool.request({ path: ENDPOINT, method: "POST", headers, body });
  await response.body.arrayBuffer();
  return `${String(response.headers["x-almanac-cost"])} ${response.statusCode}`;
}
