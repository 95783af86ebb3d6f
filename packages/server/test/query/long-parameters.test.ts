import { afterAll, beforeAll, expect, test } from "vitest";
import { bind, sql } from "../../src/definition/sql.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openEngines } from "../ingest/open-engines.ts";

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.close());

const TEXTS = ["a".repeat(120_000), "中".repeat(40_000), "\r\n--a\"'\\\t".repeat(9_000)];

test.each(TEXTS)("a parameter arrives as it was sent, however long (%#)", async (text) => {
  const rows = sql`SELECT ${bind("String", text)} AS one, ${bind("Array(String)", [text.slice(0, 20_000)])} AS many`;
  expect(await engines.store.rows(rows)).toEqual([{ one: text, many: [text.slice(0, 20_000)] }]);
});

test("sends a table alongside long parameters", async () => {
  const sent = { name: "pairs", structure: "n UInt8", rows: Buffer.from('{"n":1}\n{"n":2}\n') };
  const text = "中".repeat(20_000);
  const statement = sql`SELECT n, length(${bind("String", text)}) AS bytes FROM pairs ORDER BY n`;
  const bytes = await engines.store.read(statement, { sent, format: "JSONEachRow" });
  expect(bytes.toString("utf8")).toBe('{"n":1,"bytes":60000}\n{"n":2,"bytes":60000}\n');
});

test("answers the longest list of slugs in three-byte letters", async () => {
  const slugs = Array.from({ length: 80 }, (_, place) => String.fromCharCode(0x4e00 + place).repeat(250));
  expect(await openTestQuery(engines.store).rows(574, { params: { market_slug: slugs.join(",") } })).toEqual([]);
});
