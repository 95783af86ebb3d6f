import type { Pool } from "undici";
import { datasets } from "../../packages/server/src/catalogue.ts";
import { bind } from "../../packages/server/src/definition/sql.ts";
import { compose } from "../../packages/server/src/query/compose.ts";
import { parseParams } from "../../packages/server/src/query/parse-params.ts";
import type { openStore } from "../../packages/server/src/store/open-store.ts";

export type BenchQuestion = {
  readonly name: string;
  readonly agentId: number;
  readonly params: (turn: number) => Record<string, string>;
  readonly limit: number;
};

export const ENDPOINT = "/api/v2/semantic/retrieve/parameterized";

/** Request body for a query. */
export const bodyOf = (agentId: number, params: Readonly<Record<string, string>>, limit: number): string =>
  JSON.stringify({ agent_id: agentId, params, pagination: { limit } });

/** Posts a query and returns the response. */
export async function post(pool: Pool, key: string, body: string): Promise<{ isGood: boolean; bytes: ArrayBuffer }> {
  const response = await pool.request({
    path: ENDPOINT,
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
  const bytes = await response.body.arrayBuffer();
  return { isGood: response.statusCode === 200, bytes };
}

/** Sends the query over HTTP, as a client does. */
export async function askHttp(pool: Pool, key: string, question: BenchQuestion, turn: number): Promise<boolean> {
  const { isGood } = await post(pool, key, bodyOf(question.agentId, question.params(turn), question.limit));
  return isGood;
}

/** Whether the dataset has an SQL statement that the engine can run. */
export const hasStatement = ({ agentId }: BenchQuestion): boolean =>
  datasets.some((one) => one.agentId === agentId && one.query !== undefined);

/** Sends the same SQL directly to the engine. */
export async function askEngine(
  store: Awaited<ReturnType<typeof openStore>>,
  question: BenchQuestion,
  turn: number,
): Promise<boolean> {
  const dataset = datasets.find((one) => one.agentId === question.agentId);
  if (!dataset) throw new Error(`no dataset ${question.agentId}`);
  const { given } = parseParams(dataset, question.params(turn), "reject");
  const { statement } = compose(dataset, given, {
    rows: question.limit + 1,
    offset: 0,
    format: "raw",
    now: bind("Int64", String(Date.now() * 1000)),
  });
  await store.read(statement, { settings: dataset.isHot ? { use_uncompressed_cache: 1 } : {} });
  return true;
}
