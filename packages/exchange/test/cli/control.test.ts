import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveExchange, type ServedExchange } from "../../src/serve.ts";

type Row = Record<string, unknown>;

let exchange: ServedExchange;

const get = async (path: string) => {
  const response = await fetch(exchange.urls.control_url + path);
  return { status: response.status, body: (await response.json()) as Row };
};

const post = (url: string, body: object) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const newest = async () => {
  const call = { jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["latest", false] };
  const response = await post(exchange.urls.rpc_url, call);
  return ((await response.json()) as { result: { number: string; hash: string } }).result;
};

beforeAll(async () => {
  exchange = await serveExchange({ seed: 11, speed: 0, days: 0.5, from_ms: Date.UTC(2026, 8, 20) });
});

afterAll(() => exchange.close());

describe("the control port", () => {
  it("returns every fill exactly once, paged by sequence number", async () => {
    const legs: Row[] = [];
    const places = new Set<string>();
    for (let since: unknown = 0; since !== null;) {
      const { body } = await get(`/truth/fills?since_sequence=${String(since)}&limit=777`);
      for (const match of body["rows"] as Row[]) {
        for (const leg of match["legs"] as Row[]) {
          legs.push(leg);
          places.add(`${String(match["tx_hash"])} ${String(leg["log_index"])}`);
        }
      }
      since = body["next_sequence"];
    }
    const truth = (await get("/truth")).body;
    expect(legs.length).toBe(truth["fills"]);
    expect(places.size).toBe(legs.length);
  });

  it("exposes latent truth: wallet skill and price jumps", async () => {
    expect(((await get("/truth/wallets")).body["wallets"] as Row[])[0]).toHaveProperty("skill");
    expect(((await get("/truth/jumps")).body["jumps"] as Row[])[0]).toHaveProperty("before_e4");
  });

  it("rejects invalid parameters with 400 and unknown paths with 404", async () => {
    expect((await get("/truth/fills?since_sequence=x")).status).toBe(400);
    expect((await get("/truth/fills?limit=5001")).status).toBe(400);
    expect((await get("/nothing")).status).toBe(404);
  });

  it("reorganises the newest Polygon blocks, and rejects a depth of 33 with 400", async () => {
    const before = await newest();
    expect(await (await post(`${exchange.urls.control_url}/reorg`, { depth: 3 })).json()).toEqual({ blocks: 3 });
    const after = await newest();
    expect(after.number).toBe(before.number);
    expect(after.hash).not.toBe(before.hash);
    expect((await post(`${exchange.urls.control_url}/reorg`, { depth: 33 })).status).toBe(400);
  });

  it("does not advance the clock at speed 0", async () => {
    const first = (await get("/clock")).body;
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    expect((await get("/clock")).body).toEqual(first);
    expect(first["now_ms"]).toBe(Date.UTC(2026, 8, 20, 12));
  });
});
