import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { num } from "../../src/definition/column.ts";
import { defineDataset } from "../../src/definition/dataset.ts";
import { wallet } from "../../src/definition/param-kinds.ts";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import { openQuery } from "../../src/query/open-query.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { openApi, OTHER_TOKEN, HEADERS, type Api } from "../http/api.ts";

const AGENT = 574;
/** Numbers that the engine would add up for minutes. */
const NUMBERS = "numbers(100000000000)";

const slow = defineDataset({
  agentId: AGENT,
  name: "slow",
  title: "Slow",
  summary: "One number, worked out slowly.",
  plan: "free",
  params: { owner: wallet().describe("Makes the question another one.") },
  row: { total: num("shares").describe("A sum.") },
  limit: { default: 50, max: 1000 },
  order: "by total",
  tables: [],
  query: () => ({
    from: fromDefinition(`(SELECT toFloat64(sum(cityHash64(number))) AS total FROM ${NUMBERS})`),
    where: [],
    order: [{ by: sql`total`, direction: "asc", stored: (value) => sql`${value}`, value: () => 0 }],
  }),
  examples: [{ title: "It", params: {} }],
});

const coverageOf = async () => ({ complete: true, from: null, to: null, gaps: [], reasons: [] });

let store: OpenStore;
let api: Api;
const opened: AbortController[] = [];
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());
afterEach(async () => {
  for (const one of opened.splice(0)) one.abort();
  await expect.poll(underWay).toBe(0);
  await api.close();
});

async function open(statementsAtOnce?: number): Promise<void> {
  const asking = openQuery({
    store,
    catalogue: [slow],
    coverageOf,
    secret: Buffer.from("test"),
    paramsUnknown: "reject",
    now: Date.now,
    statementsAtOnce,
  });
  api = await openApi(asking, { catalogue: [slow] });
}

/** Number of these statements that the engine is running. */
async function underWay(): Promise<number> {
  const rows = await store.rows<{ n: string }>(
    fromDefinition(
      `SELECT count() AS n FROM system.processes WHERE position(query, '${NUMBERS}') > 0 AND position(query, 'system.processes') = 0`,
    ),
  );
  return Number(rows[0]?.n);
}

/** Sends a request for one owner; aborting the returned controller hangs up. */
function ask(owner: number, token?: string): AbortController {
  const hanging = new AbortController();
  opened.push(hanging);
  const params = { owner: `0x${String(owner).padStart(40, "0")}` };
  const authorization = token === undefined ? HEADERS.authorization : `Bearer ${token}`;
  const body = JSON.stringify({ agent_id: AGENT, params });
  const { signal } = hanging;
  fetch(api.endpoint, { method: "POST", headers: { ...HEADERS, authorization }, body, signal }).catch(() => undefined);
  return hanging;
}

const WITHIN_A_SECOND = { interval: 20 };

describe("a request whose client hangs up", () => {
  test("is gone from the engine within a second, and is counted as abandoned (499)", async () => {
    await open();
    const requested = ask(1);
    await expect.poll(underWay).toBe(1);
    requested.abort();
    await expect.poll(underWay, WITHIN_A_SECOND).toBe(0);
    await expect.poll(() => api.usage.map(({ status }) => status)).toEqual([499]);
  });

  test("continues while another client waits for the same answer", async () => {
    await open();
    const [first, second] = [ask(1), ask(1, OTHER_TOKEN)];
    await expect.poll(() => api.metrics.getSingleMetricAsString("almanac_http_asks_in_flight")).toMatch(/ 2$/m);
    await expect.poll(underWay).toBe(1);
    first.abort();
    await expect.poll(() => api.usage.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await underWay()).toBe(1);
    second.abort();
    await expect.poll(underWay, WITHIN_A_SECOND).toBe(0);
  });

  test("is never sent if it is still queued, and frees its place for the next one", async () => {
    await open(1);
    const first = ask(1);
    await expect.poll(underWay).toBe(1);
    const waiting = ask(2);
    await expect.poll(() => api.metrics.getSingleMetricAsString("almanac_http_asks_in_flight")).toMatch(/ 2$/m);
    waiting.abort();
    await expect.poll(() => api.usage.length).toBe(1);
    first.abort();
    await expect.poll(underWay, WITHIN_A_SECOND).toBe(0);
    ask(3);
    await expect.poll(underWay).toBe(1);
  });
});
