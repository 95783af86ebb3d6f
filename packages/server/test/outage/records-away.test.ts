import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/definition/sql.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { openRecords } from "../../src/records/records.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { numberedFills } from "../ingest/fill-connector.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../records/start-postgres.ts";
import { numberedSocket, openNumberedVenue } from "./numbered-venue.ts";
import { startService } from "./service-process.ts";
import { settleFrames } from "./settle-frames.ts";

const found = findPostgres();
/** How long impatient clients wait; the records themselves time out after 15 to 35 s. */
const CALLER_MS = 10_000;
const reason = "reason" in found ? ` (left out: ${found.reason})` : "";

describe.skipIf("reason" in found)(`PostgreSQL outage${reason}`, () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres("bin" in found ? found.bin : "");
  });
  afterAll(() => postgres.stop());

  test("streams wait and resume from their cursors; a gap for the outage is recorded afterwards", async () => {
    const store = await openTestStore();
    const records = await openRecords({ url: await postgres.newDatabase() });
    const venue = await openNumberedVenue();
    const upstream = await serveNewest();
    const ingest = startIngest({
      store,
      records,
      connectors: [numberedFills, numberedSocket],
      derivations: [],
      settings: { VENUE_URL: upstream.url, ...venue.settings },
      log: pino({ level: "silent" }),
      metrics: new Registry(),
      clock: systemClock,
      signal: new AbortController().signal,
    });
    const engines = { store, db: records.db };
    const frames = async (): Promise<number> => (await settleFrames(engines, [])).stored;
    try {
      const states = async () => (await ingest.status()).streams.map(({ state }) => state);
      await expect.poll(states).toEqual(["caught_up", "caught_up"]);
      venue.send(10);
      await expect.poll(frames).toBe(10);

      await postgres.down();
      upstream.add(50);
      venue.send(10);
      venue.sockets[0]?.terminate();
      venue.send(10);
      await expect.poll(() => venue.sockets.length).toBe(2);
      venue.send(10);
      const storedFrames = async () =>
        (await store.rows(sql`SELECT count() AS n FROM book_events WHERE kind = 'change'`))[0];
      await expect.poll(storedFrames).toEqual({ n: "30" });
      await postgres.up();

      const next = async () =>
        (
          await records.db
            .selectFrom("streams")
            .select("cursor")
            .where("name", "=", "numbered-fills")
            .executeTakeFirst()
        )?.cursor;
      await expect.poll(next).toEqual({ next: upstream.newest() });
      await expect.poll(async () => (await settleFrames(engines, [])).gaps[0]?.to_at ?? null).not.toBeNull();
      const { stored, doubled, missing, undeclared } = await settleFrames(engines, venue.madeAt);
      expect({ stored, doubled, missing, undeclared }).toEqual({ stored: 30, doubled: 0, missing: 10, undeclared: [] });
      const [fills] = await store.rows(
        sql`SELECT count() AS fills, uniqExact(tx_hash) AS ids, (SELECT count() FROM polymarket_fills_by_wallet) AS copies FROM polymarket_fills`,
      );
      const all = String(upstream.newest());
      expect(fills).toEqual({ fills: all, ids: all, copies: all });
    } finally {
      await ingest.stop();
      venue.close();
      upstream.close();
      await records.close();
      await store.close();
    }
  });

  test("a service keeps answering known clients, reports what it cannot read, and recovers completely afterwards", async () => {
    const service = await startService({ ALMANAC_ROLE: "api", DATABASE_URL: await postgres.newDatabase() });
    try {
      const question = { agent_id: 574, pagination: { limit: 5 } };
      expect((await service.ask(question)).status).toBe(200);
      await postgres.down();
      await expect.poll(async () => (await service.ready()).reasons).toEqual(["the control records do not answer"]);
      const answer = async (): Promise<string> => {
        const { status, body } = await service.ask(question);
        return `${status} ${JSON.stringify(body)}`;
      };
      const reported = /^200 .*"complete":false.*The control records cannot be read now/;
      await expect.poll(answer).toMatch(reported);
      await postgres.up();
      await expect.poll(async () => (await service.ready()).status).toBe(200);
      service.end("SIGTERM");
      expect(await service.ended).toBe(0);
    } finally {
      await service.close();
    }
  });

  test("a service answers before its callers time out when PostgreSQL stops responding", async () => {
    const service = await startService({ ALMANAC_ROLE: "api", DATABASE_URL: await postgres.newDatabase() });
    const question = { agent_id: 574, pagination: { limit: 5 } };
    try {
      expect((await service.ask(question)).status).toBe(200);
      postgres.freeze();
      // State that was looked up just before is returned for another second.
      const reported = async (): Promise<string> => JSON.stringify((await service.ask(question, CALLER_MS)).body);
      for (let turn = 0; turn < 3; turn += 1) {
        await expect.poll(reported, { timeout: 3 * CALLER_MS }).toContain("The control records cannot be read now");
      }
      postgres.thaw();
      await expect.poll(reported).not.toContain("cannot be read now");
    } finally {
      postgres.thaw();
      await service.close();
    }
  });
});

/** An upstream that reports the number of fills. */
async function serveNewest() {
  let newest = 30;
  const server: Server = createServer((_request, response) => response.end(JSON.stringify({ newest })));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    newest: () => newest,
    add: (count: number) => void (newest += count),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
