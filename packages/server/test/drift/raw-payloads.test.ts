import pino from "pino";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";
import { dropOldPayloads, createRawLog, type RawLogOptions, type RawPayload } from "../../src/ingest/raw/raw-log.ts";
import { rawPayloads } from "../../src/tables/raw-payloads.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";

const HOUR_MS = 3_600_000;
let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => (store = await openTestStore()));
afterAll(() => store.close());

const payload = (body: Buffer | string): RawPayload => ({
  host: "kalshi",
  stream: "kalshi-trades",
  route: "all",
  path: "/markets/trades?limit=1000",
  status: 200,
  kind: "http",
  body,
});
const bodies = async (): Promise<string[]> =>
  (await store.rows<{ body: string }>(sql`SELECT body FROM raw_payloads ORDER BY ts, body`)).map(({ body }) => body);

function open(more: Partial<RawLogOptions> = {}) {
  const registry = new Registry();
  const metrics = createIngestMetrics(registry);
  const log = pino({ level: "silent" });
  const raw = createRawLog({ store, table: rawPayloads, hours: 2, clock: systemClock, log, metrics, ...more });
  const lost = async () => (await registry.getSingleMetric("almanac_ingest_raw_payloads_lost_total")?.get())?.values;
  return { raw, lost };
}

test("stores payloads byte for byte", async () => {
  const { raw } = open();
  const odd = '{"a":"\\u0000 \\"quoted\\" é \\n"}';
  raw.keep(payload(odd));
  raw.keep({ ...payload("[]"), kind: "frame", status: 0 });
  await raw.close();
  expect(await bodies()).toEqual(expect.arrayContaining([odd, "[]"]));
});

test("stores a body byte for byte, even if it is not valid text", async () => {
  const { raw } = open();
  const bytes = Buffer.concat([Buffer.from('{"a":"é"}'), Buffer.from([0, 0xff, 0xc3]), Buffer.alloc(70_000, "b")]);
  raw.keep({ ...payload(bytes), path: `/${"p".repeat(3000)}` });
  await raw.close();
  const kept = await store.rows<{ body: string }>(
    sql`SELECT hex(body) AS body FROM raw_payloads WHERE length(path) = 3001`,
  );
  expect(kept).toEqual([{ body: bytes.toString("hex").toUpperCase() }]);
});

test("drops and counts payloads that do not fit, without blocking", async () => {
  const { raw, lost } = open({ maxChars: 10 });
  raw.keep(payload("12345678"));
  raw.keep(payload("too much"));
  expect((await lost())?.[0]?.value).toBe(1);
  await raw.close();
  expect(await bodies()).not.toContain("too much");
});

test("stores payloads before the flush interval once they are many, which makes room for more", async () => {
  const { raw, lost } = open({ maxChars: 40, flushMs: HOUR_MS });
  for (const body of ["one of ten", "two of ten", "3rd of ten", "4th of ten", "5th of ten"]) {
    raw.keep(payload(body));
    await expect.poll(bodies).toContain(body);
  }
  expect((await lost())?.[0]?.value ?? 0).toBe(0);
  await raw.close();
});

test("loses only the payloads if the store rejects them", async () => {
  const { raw, lost } = open({ store: { ...store, append: () => Promise.reject(new Error("full")) } });
  raw.keep(payload("a"));
  await raw.close();
  expect((await lost())?.[0]?.value).toBe(1);
});

test("drops payloads older than the given hours, and all of them with 0 hours", async () => {
  const now = Date.now();
  for (const hours of [5, 0]) {
    const { raw } = open({ clock: { ...systemClock, now: () => now - hours * HOUR_MS }, hours: 24 });
    raw.keep(payload(`${hours} h old`));
    await raw.close();
  }
  await dropOldPayloads(store, rawPayloads, 2, now);
  expect(await bodies()).toContain("0 h old");
  expect(await bodies()).not.toContain("5 h old");
  await dropOldPayloads(store, rawPayloads, 0, now);
  expect(await bodies()).toEqual([]);
});
