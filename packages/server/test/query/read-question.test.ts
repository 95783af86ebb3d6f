import { expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { writeCursor, type CursorState } from "../../src/query/cursor.ts";
import { createReadQuestion } from "../../src/query/read-question.ts";

const SECRET = Buffer.from("of all nodes");
const NOW = Date.UTC(2026, 10, 20);
const read = createReadQuestion({ catalogue: datasets, secret: SECRET, paramsUnknown: "reject", now: () => NOW });
const asker = { mayRead: () => true, maxPage: 100, mode: "strict" } as const;
const ask = (params: Readonly<Record<string, string>>, pagination: Readonly<Record<string, unknown>> = {}) =>
  read({ agent_id: 556, params, pagination }, asker, undefined);

const state: CursorState = {
  question: ask({ side: "BUY" }).question,
  snapshot: String(NOW * 1000),
  after: ["2026-11-19T00:00:00.000Z"],
  began: NOW,
  wasPartial: false,
};

test("accepts a cursor only for the query it was issued for", () => {
  const cursor = writeCursor(SECRET, state);
  expect(ask({ side: "BUY" }, { cursor }).cursor).toMatchObject(state);
  expect(() => ask({ side: "SELL" }, { cursor })).toThrow(/belongs to another question/);
});

test("rejects a cursor that was changed or has another signature", () => {
  const bytes = Buffer.from(writeCursor(SECRET, state), "base64url");
  const changed = Buffer.from(
    bytes.toString("latin1").replace("BUY", "SEL").replace("2026-11-19", "2026-11-18"),
    "latin1",
  );
  const longer = `${bytes.toString("base64url")}!`;
  for (const cursor of [writeCursor(Buffer.from("mine"), state), changed.toString("base64url"), longer])
    expect(() => ask({ side: "BUY" }, { cursor })).toThrow(/not a cursor that this service gave/);
});

test("limits a page to what the plan allows, even if the dataset allows more", () => {
  expect(ask({}, { limit: 100 }).limit).toBe(100);
  expect(() => ask({}, { limit: 101 })).toThrow(/over this key's maximum/);
});

test("rejects an unknown parameter for a strict key, and warns a key in compatible mode", () => {
  expect(() => ask({ sides: "BUY" })).toThrow(/is not a parameter of polymarket-trades; did you mean side/);
  const { searching } = read({ agent_id: 556, params: { sides: "BUY" } }, { ...asker, mode: "compatible" }, undefined);
  expect(searching.warnings).toHaveLength(1);
});

test("names both parameters if two names of one have different values", () => {
  const [one, other] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`];
  expect(() => ask({ wallet: one, proxy_wallet: other })).toThrow("proxy_wallet: is the same parameter as wallet with");
  expect(() => ask({ proxy_wallet: one, wallet: other })).toThrow("wallet: is the same parameter as proxy_wallet with");
});

test.each<[unknown, string]>([
  ["574", '"574"'],
  ["", '""'],
  ["null", '"null"'],
  [null, "null"],
  [true, "true"],
  [5.5, "5.5"],
  [{ id: 574 }, '{"id":574}'],
])("quotes %j in an error as it was sent", (value, got) => {
  const bodies = [
    { agent_id: value },
    { agent_id: 556, pagination: { limit: value } },
    { agent_id: 556, formatter_config: { format_type: value } },
  ];
  for (const body of bodies)
    expect(() => read(body, asker, undefined)).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ got })] }),
    );
});
