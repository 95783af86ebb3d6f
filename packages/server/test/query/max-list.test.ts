import { expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import type { Asker } from "../../src/query/answer.ts";
import { createReadQuestion } from "../../src/query/read-question.ts";

const read = createReadQuestion({
  catalogue: datasets,
  secret: Buffer.from("test"),
  paramsUnknown: "reject",
  now: () => Date.parse("2026-11-20"),
});
const asker: Asker = { mayRead: () => true, maxPage: 200, lists: { most: 50, plan: "free" } };
const list = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join(",");
const wallet = (at: number): string => `0x${at.toString(16).padStart(40, "0")}`;

const ask = (agentId: number, params: Readonly<Record<string, string>>, who = asker): unknown =>
  read({ agent_id: agentId, params }, who, undefined);

test.each([
  [569, "wallet", "wallet", wallet],
  [556, "token_id", "token_id", String],
  [574, "market_slug", "market_slug", (at: number) => `slug-${at}`],
  // An alias is reported under the parameter's own name.
  [556, "slug", "market_slug", (at: number) => `slug-${at}`],
] as const)("%i: limits a list of %s to what the plan allows", (agentId, sent, reported, one) => {
  expect(() => ask(agentId, { [sent]: list(50, one) })).not.toThrow();
  expect(() => ask(agentId, { [sent]: list(51, one) })).toThrow(
    expect.objectContaining({
      code: "INVALID_PARAMS",
      status: 400,
      details: [{ path: `params.${reported}`, problem: "lists 51 values", expected: "at most 50 on the plan free" }],
    }) as Error,
  );
});

test("is described as bounded by the plan", () => {
  const lists = datasets.flatMap(({ params }) => Object.values(params).map(({ schema }) => schema["description"]));
  const described = lists.filter((text) => typeof text === "string" && text.includes("list"));
  expect(described.length).toBeGreaterThan(30);
  for (const text of described) expect(text).toContain("the plan may allow fewer");
});

test("does not count a few words as a long list, and limits a client without a plan by the kind of the list", () => {
  const few = { ...asker, lists: { most: 1, plan: "free" } };
  expect(() => ask(585, { keywords: "hockey", source: "bluesky,hackernews" }, few)).not.toThrow();
  expect(() => ask(569, { wallet: list(200, wallet) }, { mayRead: () => true, maxPage: 200 })).not.toThrow();
});
