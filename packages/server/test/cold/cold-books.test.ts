import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tables } from "../../src/catalogue.ts";
import { fromDefinition, sql } from "../../src/definition/sql.ts";
import type { Cooling, S3Place } from "../../src/store/cold/cold-place.ts";
import { coolTables } from "../../src/store/cold/cool-tables.ts";
import { migrate } from "../../src/store/migrate.ts";
import { openStore, type OpenStore } from "../../src/store/open-store.ts";
import { readSizes } from "../../src/store/read-sizes.ts";
import { bookEvents } from "../../src/tables/book-events.ts";
import { layMigrated, MIGRATIONS } from "../fixtures/open-migrated-store.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { startS3, type S3Server } from "../fixtures/start-s3.ts";
import { booksOverMonths, DAY_MS, TICKER, TOKEN } from "./books-over-months.ts";

const AFTER_DAYS = 40;
const NOW = Date.now();
const SECRET = "S3RVER";
let s3: S3Server;
let place: S3Place;
let dataDir: string;
let folder: string;
let store: OpenStore;

beforeAll(async () => {
  s3 = await startS3("old-books");
  place = { kind: "s3", url: `${s3.url}/almanac`, keyId: s3.keyId, secret: s3.secret, region: "us-east-1" };
  dataDir = mkdtempSync(join(tmpdir(), "almanac-cold-"));
  await layMigrated(dataDir);
  folder = join(dataDir, "columns");
  store = await openStore({ folder, cold: place });
  await migrate(store, MIGRATIONS, tables);
  await store.insert(bookEvents, booksOverMonths(NOW, 65));
});
afterAll(async () => {
  await store.close();
  await s3.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

const ago = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();
type Requested = { readonly agentId: number; readonly params: Record<string, string>; readonly limit?: number };

const of572 = (params: Record<string, string>, limit = 20): Requested => ({
  agentId: 572,
  params: { token_id: TOKEN, ...params },
  limit,
});
const of1102 = (params: Record<string, string>, limit = 20): Requested => ({
  agentId: 1102,
  params: { ticker: TICKER, ...params },
  limit,
});
const at = (days: number) => ({ start_time: ago(days), end_time: ago(days) });
const RECENT = [of572({}), of1102({}), of572(at(5)), of1102({ start_time: ago(9), end_time: ago(8) })];
const OLD = [of572(at(60)), of1102(at(60)), of572({ start_time: ago(60), end_time: ago(58) })];
/** More rows than the last weeks have, so it continues in the older ones. */
const DEEP = of1102({}, 230);

const answersTo = async (list: readonly Requested[]): Promise<Record<string, unknown>[][]> => {
  const query = openTestQuery(store, Date.now, undefined, true);
  const answers: Record<string, unknown>[][] = [];
  for (const { agentId, params, limit } of list)
    answers.push(await query.rows(agentId, { params, pagination: { limit } }));
  return answers;
};
/** Runs them concurrently, as each waits for the engine's retries on an object store that is down. */
const problemsOf = (list: readonly Requested[]): Promise<string[]> => {
  const query = openTestQuery(store, Date.now, undefined, true);
  return Promise.all(
    list.map(({ agentId, params, limit }) =>
      query.rows(agentId, { params, pagination: { limit } }).then(
        () => "none",
        (error: { code?: string; message: string }) => `${error.code} ${error.message}`,
      ),
    ),
  );
};

/** Waits until every week that is old enough has been moved. */
async function moved(): Promise<{ cold: number; hot: number }> {
  for (;;) {
    const [found] = await store.rows<{ cold: string; hot: string; late: string }>(
      sql`SELECT toString(countIf(disk_name = 'cold_s3')) AS cold, toString(countIf(disk_name = 'default')) AS hot, toString(countIf(disk_name = 'default' AND max_time < now() - toIntervalDay(41))) AS late FROM system.parts WHERE active AND database = currentDatabase() AND table = 'book_events'`,
    );
    if (found?.late === "0") return { cold: Number(found.cold), hot: Number(found.hot) };
    await sleep(200);
  }
}

test("moves old weeks of books to object storage, keeps answers the same, and survives restarts and its outage", async () => {
  const cooling: Cooling = { place, afterDays: AFTER_DAYS };
  const before = await answersTo([...RECENT, ...OLD, DEEP]);
  expect(before.every((rows) => rows.length > 0)).toBe(true);
  expect(before.at(-1)).toHaveLength(230);

  expect(await coolTables(store, tables, cooling)).toEqual(["book_events"]);
  expect(await coolTables(store, tables, cooling)).toEqual([]);
  const { cold, hot } = await moved();
  expect(cold).toBeGreaterThanOrEqual(2);
  expect(hot).toBeGreaterThanOrEqual(5);
  const books = (await readSizes(store)).tables.find(({ name }) => name === "book_events");
  expect(books?.cold_bytes).toBeGreaterThan(0);
  expect(books?.cold_bytes).toBeLessThan(books?.bytes ?? 0);
  expect(await answersTo([...RECENT, ...OLD, DEEP])).toEqual(before);

  await store.close();
  await expect(openStore({ folder })).rejects.toThrow(/old rows in object storage: set COLD_S3_URL/);
  store = await openStore({ folder, cold: place });
  expect(await answersTo(OLD)).toEqual(before.slice(RECENT.length, -1));

  await s3.stop();
  expect(await answersTo(RECENT)).toEqual(before.slice(0, RECENT.length));
  for (const problem of await problemsOf([of572(at(61)), DEEP]))
    expect(problem).toMatch(/^UNAVAILABLE Old order books .* object storage/);
  const late = booksOverMonths(NOW + 1_000, 1);
  expect((await store.insert(bookEvents, late)).stored).toBe(late.length);

  await store.close();
  store = await openStore({ folder, cold: place });
  expect(await store.rows(sql`SELECT count() AS n FROM polymarket_fills`)).toEqual([{ n: "0" }]);
  expect((await problemsOf([of572(at(5))]))[0]).toMatch(/^UNAVAILABLE Old order books/);
  await s3.start();
  expect(await answersTo(OLD)).toEqual(before.slice(RECENT.length, -1));
});

test("the secret is in no file that others may read, and in no log", () => {
  expect(statSync(join(folder, "node.xml")).mode & 0o777).toBe(0o600);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".log")))
    expect(readFileSync(join(folder, file), "utf8")).not.toContain(`>${SECRET}<`);
});

test("leaves tables of other databases alone, whatever they are called", async () => {
  const [own] = await store.rows<{ name: string }>(sql`SELECT currentDatabase() AS name`);
  const other = fromDefinition(`${own?.name}_old`);
  await store.run(sql`CREATE DATABASE ${other}`);
  await store.run(sql`CREATE TABLE ${other}.elsewhere AS book_events`);
  const elsewhere = { ...bookEvents, name: "elsewhere" };
  expect(await coolTables(store, [elsewhere], { place, afterDays: AFTER_DAYS + 1 })).toEqual([]);
});

test("reports a storage policy that the engine lacks by name", async () => {
  const cooling: Cooling = { place: { kind: "policy", policy: "tiered" }, afterDays: AFTER_DAYS };
  await expect(coolTables(store, tables, cooling)).rejects.toThrow(/no storage policy 'tiered'.*volume 'cold'/);
});
