import { afterAll, beforeAll, expect, test } from "vitest";
import type { Ask } from "../../src/query/answer.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { table } from "../fixtures/sample-rows.ts";

const ANYONE = { mayRead: () => true, maxPage: 1000 };
const LABELS = ["=1+1", "+1", "-2.5", "-cmd", "@sum", "\tx", 'a",=b', "plain", " =1"];

let store: Awaited<ReturnType<typeof openTestStore>>;
let ask: Ask;
beforeAll(async () => {
  store = await openTestStore();
  ask = openTestQuery(store).ask;
  const rows = LABELS.map((label, index) => ({
    tag_id: String(index),
    slug: `tag-${index}`,
    label,
    parent_slug: null,
    created_at: "2024-11-13T19:58:34Z",
    updated_at: null,
  }));
  await store.insert(table("polymarket_tags"), rows);
});
afterAll(() => store.close());

const csvOf = async (config: object) => {
  const body = { agent_id: 1107, params: {}, formatter_config: { format_type: "csv", ...config } };
  const { body: bytes, etag } = await ask(body, ANYONE, undefined);
  return { text: bytes.toString("utf8"), etag };
};

test("prefixes texts that a spreadsheet would run with an apostrophe on request; numbers stay numbers", async () => {
  const plain = await csvOf({});
  const safe = await csvOf({ csv_safe: true });
  for (const label of ["=1+1", "-cmd", "@sum", "\tx", " =1"]) {
    expect(plain.text).toContain(`,"${label}",`);
    expect(safe.text).toContain(`,"'${label}",`);
  }
  for (const label of ["+1", "-2.5", 'a"",=b', "plain"]) expect(safe.text).toContain(`,"${label}",`);
  expect(safe.text.replaceAll("\"'", '"')).toBe(plain.text);
  expect(safe.etag).not.toBe(plain.etag);
  expect(await csvOf({ csv_safe: false })).toEqual(plain);
});

test("rejects a csv_safe that is not a boolean", async () => {
  await expect(csvOf({ csv_safe: "yes" })).rejects.toMatchObject({ code: "INVALID_FORMAT" });
});
