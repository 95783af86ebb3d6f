import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, revokeKey } from "../../src/access/keys.ts";
import { editPlan } from "../../src/access/plans.ts";
import { datasets } from "../../src/catalogue.ts";
import { FILL_START, fill, SAMPLE_PARAMS, table } from "../fixtures/sample-rows.ts";
import { openWorkerService, type Reply, type WorkerService } from "./worker-service.ts";

const WORKERS = 2;
let service: WorkerService;
beforeAll(async () => {
  service = await openWorkerService(WORKERS);
});
afterAll(() => service?.close());

const fills = (params: Record<string, string> = {}) => ({ agent_id: 556, params, pagination: { limit: 100 } });
const INDEX_PAGES = 'almanac_serving_pages_total{by="index"}';

const resultsOf = ({ body }: Reply): number => (body["data"] as { results: unknown[] }).results.length;

/** The parts of a reply that do not depend on the time or on the process that answers. */
const lasting = ({ status, headers, body }: Reply): unknown => {
  const { data, error, pagination, params, warnings, coverage } = body as Record<string, Record<string, unknown>>;
  const { next_cursor: next, ...page } = pagination ?? {};
  return [
    status,
    headers.get("etag"),
    headers.get("content-type"),
    headers.get("x-almanac-cost"),
    data,
    error?.["message"],
    params,
    warnings,
    coverage?.["complete"],
    page,
    next != null,
  ];
};

describe("workers", () => {
  test("answer every dataset as the owner does, those with an index from the index", async () => {
    const whole = (): Promise<number> => service.metric('almanac_serving_behind_seconds{table="polymarket_fills"}');
    await expect.poll(whole).toBe(0);
    const before = await service.metric(INDEX_PAGES);
    for (const { agentId } of datasets) {
      const question = { agent_id: agentId, params: SAMPLE_PARAMS[agentId] ?? {}, pagination: { limit: 3 } };
      const [worker, owner] = [await service.post(question), await service.postToOwner(question)];
      expect(lasting(worker), `agent_id ${agentId}`).toEqual(lasting(owner));
      expect(worker.status).toBe(200);
    }
    await expect.poll(() => service.metric(INDEX_PAGES)).toBeGreaterThan(before + 20);
    expect(service.listFolders().toSorted()).toEqual(Array.from({ length: WORKERS }, (_, index) => String(index + 1)));
  });

  test("answer with a fill from the index soon after it is stored, and a walk continues on either process", async () => {
    const first = await service.post(fills());
    const wallet = `0x${"77".repeat(20)}`;
    await service.store.insert(table("polymarket_fills"), [fill(9001, { wallet, ts: FILL_START + 900_000 })]);
    const [pages, engine] = [INDEX_PAGES, 'almanac_serving_pages_total{by="engine"}'];
    const [fromIndex, fromEngine] = [await service.metric(pages), await service.metric(engine)];
    const rows = async (): Promise<number> => resultsOf(await service.post(fills({ proxy_wallet: wallet })));
    await expect.poll(rows, { interval: 10 }).toBe(1);
    await expect.poll(() => service.metric(pages)).toBeGreaterThan(fromIndex);
    expect(await service.metric(engine)).toBe(fromEngine);
    const cursor = (first.body["pagination"] as { next_cursor: string }).next_cursor;
    const walk = { agent_id: 556, params: {}, pagination: { limit: 100, cursor } };
    expect(lasting(await service.post(walk))).toEqual(lasting(await service.postToOwner(walk)));
  });

  test("add a status to every error only for a key in compatible mode, as the owner does", async () => {
    const { key } = await service.makeKey("enterprise", "moved@x.example", "compatible");
    const ALIAS = "/api/v1/retrieval/parameterized";
    const refused = [
      [400, fills({ start_time: "yesterday" })],
      [400, { agent_id: 581, params: { ...SAMPLE_PARAMS[581], as_of: "2099-01-01" } }],
      [400, []],
      [404, { agent_id: 999_999 }],
    ] as const;
    for (const [status, body] of refused) {
      for (const reported of [
        await service.post(body, { key }),
        await service.post(body, { key, path: ALIAS }),
        await service.postToOwner(body, { key }),
      ]) {
        expect(reported.status).toBe(status);
        expect(reported.body).toMatchObject({
          status: "error",
          error: { message: expect.stringMatching(/./) as string },
        });
      }
      for (const reported of [await service.post(body), await service.postToOwner(body)]) {
        expect(reported.status).toBe(status);
        expect(reported.body).not.toHaveProperty("status");
      }
    }
    const answered = await service.post(fills({ no_such: "1" }), { key });
    expect([answered.status, resultsOf(answered)]).toEqual([200, 100]);
    expect(answered.headers.get("x-almanac-warnings")).toContain("no_such");
    expect((await service.post(fills({ no_such: "1" }))).status).toBe(400);
  });

  test("all refuse a key soon after it is revoked", async () => {
    const { key, id } = await service.makeKey("enterprise", "revoked@x.example");
    for (let turn = 0; turn < 2 * WORKERS; turn += 1) expect((await service.post(fills(), { key })).status).toBe(200);
    await revokeKey(service.admin, id);
    let refused = 0;
    const refusals = async (): Promise<number> => {
      const { status } = await service.post(fills(), { key });
      return (refused = status === 200 ? 0 : refused + 1);
    };
    await expect.poll(refusals, { interval: 20 }).toBe(2 * WORKERS);
  });

  test("share one rate limit bucket among all keys of an account, and appear in the usage and the metrics", async () => {
    // Each worker has room for all of them at once, however they are handed out.
    await editPlan(service.admin, "free", { requests_per_minute: 1, burst: 10, at_once: 25, key_at_once: 25 });
    const { key, id, account } = await service.makeKey("free");
    const before = await service.metric('almanac_http_requests_total{dataset="polymarket-trades",status="200"}');
    const replies = await Promise.all(Array.from({ length: 25 }, () => service.post(fills(), { key })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(15);
    const left = replies.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
    expect(left.toSorted((a, b) => b - a).slice(0, 10)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    // A request refused before its body is read counts for no dataset.
    const used = (): Promise<unknown> =>
      service.admin.db
        .selectFrom("usage")
        .select(({ fn }) => ["status", fn.sum<string>("requests").as("requests")])
        .where("key_id", "=", id)
        .groupBy("status")
        .orderBy("status")
        .execute();
    await expect.poll(used).toEqual([
      { status: 200, requests: "10" },
      { status: 429, requests: "15" },
    ]);
    expect(await service.metric('almanac_http_requests_total{dataset="polymarket-trades",status="200"}')).toBe(
      before + 10,
    );
    const { key: another } = await createKey(service.admin, { account });
    for (let turn = 0; turn < 2 * WORKERS; turn += 1) {
      const refused = await service.post(fills(), { key: another });
      expect([refused.status, refused.headers.get("x-ratelimit-burst")]).toEqual([429, "10"]);
    }
  });

  test("take the cost of an expensive request from the account's bucket, whichever process answers, and report it", async () => {
    const { key } = await service.makeKey("pro", "units@x.example");
    const dear = { agent_id: 596, params: SAMPLE_PARAMS[596] ?? {}, pagination: { limit: 10 } };
    const cost = Number((await service.postToOwner(dear)).headers.get("x-almanac-cost"));
    expect(cost).toBeGreaterThan(1);
    await editPlan(service.admin, "pro", { requests_per_minute: 1, burst: 2 * cost + 1 });
    const reported: unknown[] = [];
    for (const ask of [service.post, service.postToOwner, service.post]) {
      const { status, headers } = await ask(dear, { key });
      reported.push([status, Number(headers.get("x-almanac-cost")), Number(headers.get("x-ratelimit-remaining"))]);
    }
    // The third request gets its first unit back once its cost is known.
    expect(reported).toEqual([
      [200, cost, cost + 1],
      [200, cost, 1],
      [429, cost, 1],
    ]);
  });

  test("hold refusals to an address that sends too many requests, and the owner counts them", async () => {
    const held = (): Promise<number> => service.metric("almanac_http_refusals_held_total");
    const before = await held();
    const key = `${service.key.slice(0, -1)}!`;
    const ask = async (): Promise<number> => {
      const replies = await Promise.all(Array.from({ length: 100 }, () => service.post(fills(), { key })));
      expect(replies.every(({ status }) => status === 401)).toBe(true);
      return held();
    };
    await expect.poll(ask).toBeGreaterThan(before);
  });

  test("forward all other requests to the owner, with the client's address", async () => {
    expect(await (await fetch(`${service.baseUrl}/health`)).json()).toEqual({ status: "ok" });
    expect((await fetch(`${service.baseUrl}/ready`)).status).toBe(200);
    expect(await (await fetch(`${service.baseUrl}/docs`)).text()).toContain("</html>");
    expect((await fetch(`${service.baseUrl}/nothing`, { method: "DELETE" })).status).toBe(404);
    const signIn = await fetch(`${service.baseUrl}/api/console/session`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: service.baseUrl },
      body: JSON.stringify({ email: "nobody@x.example", password: "not the password" }),
    });
    expect([signIn.status, (await signIn.text()).length > 0]).toEqual([401, true]);
  });

  test("are replaced when killed, while requests are still answered", async () => {
    const before = service.pids();
    const [victim = 0] = before;
    process.kill(victim, "SIGKILL");
    await expect.poll(() => service.pids().includes(victim)).toBe(false);
    for (let turn = 0; turn < 10; turn += 1) expect((await service.post(fills())).status).toBe(200);
    await expect.poll(() => service.metric("almanac_api_workers")).toBe(WORKERS);
    expect(service.pids().filter((pid) => !before.includes(pid))).toHaveLength(1);
    for (let turn = 0; turn < 2 * WORKERS; turn += 1) expect((await service.post(fills())).status).toBe(200);
    expect(await service.metric("almanac_api_workers_ended_total")).toBe(1);
  });

  test("are replaced when they stop by themselves, which does not count as an unexpected end", async () => {
    const before = service.pids();
    const [stopped = 0] = before;
    const ended = await service.metric("almanac_api_workers_ended_total");
    process.kill(stopped, "SIGTERM");
    await expect.poll(() => service.pids().includes(stopped)).toBe(false);
    await expect.poll(() => service.pids().filter((pid) => !before.includes(pid))).toHaveLength(1);
    await expect.poll(() => service.metric("almanac_api_workers")).toBe(WORKERS);
    expect(await service.metric("almanac_api_workers_ended_total")).toBe(ended);
  });
});
