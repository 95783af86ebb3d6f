import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KeyMode } from "../../src/definition/vocabulary.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { once } from "../fixtures/once.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";
import { type Body, openBothModes } from "./open-both-modes.ts";

let modes: Awaited<ReturnType<typeof openBothModes>>;
beforeAll(async () => {
  modes = await openBothModes();
});
afterAll(() => modes.close());

const ask = (...requested: Parameters<typeof modes.ask>) => modes.ask(...requested);

const of = (agent_id: number, params: Body = {}, more: Body = {}): Body => ({
  agent_id,
  params: { ...SAMPLE_PARAMS[agent_id], ...params },
  pagination: { limit: 3 },
  ...more,
});

/** Refused to a strict key; answered to a compatible one with a warning, with or without rows. */
const forgiven = (body: Body, rows: "rows" | "none") => async () => {
  expect((await ask("strict", body)).status).toBe(400);
  const answer = await ask("compatible", body);
  expect([answer.status, answer.rows.length > 0]).toEqual([200, rows === "rows"]);
  expect(answer.warnings).not.toEqual([]);
};

/** Answered in both modes with the rows of another request. */
const alike = (body: Body, other: Body, how?: Parameters<typeof ask>[2]) => async () => {
  for (const mode of ["strict", "compatible"] as const) {
    const [answer, expected] = [await ask(mode, body, how), await ask(mode, other)];
    expect([answer.status, answer.rows]).toEqual([200, expected.rows]);
    expect(answer.rows.length).toBeGreaterThan(0);
  }
};

const nullsOf = async (mode: KeyMode, agent_id: number, fields: readonly string[]) => {
  const { rows } = await ask(mode, of(agent_id, {}, { pagination: { limit: 200 } }));
  return new Set(rows.flatMap((row) => fields.filter((field) => row[field] === null)));
};

/** The checks of each row of the guide's two tables, keyed by its first cell. */
const CASES: Readonly<Record<string, () => Promise<void>>> = {
  "a parameter that the dataset does not have": forgiven(of(556, { request_source: "bot" }), "rows"),
  "a key of the body or of `pagination` that is not known": async () => {
    await forgiven(of(556, {}, { stream: false }), "rows")();
    await forgiven(of(556, {}, { pagination: { limit: 3, page: 1 } }), "rows")();
  },
  "`parameters` instead of `params`": forgiven({ agent_id: 556, parameters: { side: "BUY" } }, "rows"),
  "a number, `true` or `false` in `params`": async () => {
    await forgiven(of(556, { min_size: 1 }), "rows")();
    await forgiven(of(574, { closed: true }), "rows")();
  },
  "`null` in `params`": forgiven(of(556, { side: null }), "rows"),
  "a wallet, condition or token id that is none": async () => {
    for (const name of ["proxy_wallet", "condition_id", "token_id"])
      await forgiven(of(556, { [name]: "0x12" }), "none")();
  },
  'a choice that is none (`leaderboard_period: "45d"`)': forgiven(of(579, { leaderboard_period: "45d" }), "none"),
  "a `sort_by` that is none": forgiven(of(584, { sort_by: "luck" }), "rows"),
  "an error": async () => {
    const body = of(556, { start_time: "yesterday" });
    expect((await ask("strict", body)).reported).not.toHaveProperty("status");
    expect((await ask("compatible", body)).reported).toMatchObject({
      status: "error",
      error: { code: "INVALID_PARAMS" },
    });
  },
  "`outcome` and `slug` of 556, not known yet": async () => {
    const fields = ["outcome", "side", "transaction_hash", "proxy_wallet", "slug"];
    expect(await nullsOf("compatible", 556, fields)).toEqual(new Set());
  },
  "a figure of 575, 579, 581 or 584 that is not defined (such as `liquidity_percentile` of 575), in `raw`":
    async () => {
      const fields = ["brier_to_date", "liquidity_percentile", "top1_wallet_pct", "slippage_1k"];
      expect((await nullsOf("strict", 575, fields)).size).toBeGreaterThan(0);
      expect(await nullsOf("compatible", 575, fields)).toEqual(new Set());
    },
  "`bids` and `asks` of 572 in `raw`": async () => {
    for (const mode of ["strict", "compatible"] as const) {
      const typed = await ask(mode, of(572, {}, { formatter_config: { format_type: "typed" } }));
      const { rows } = await ask(mode, of(572));
      for (const side of ["bids", "asks"]) {
        expect(JSON.parse(String(rows[0]?.[side]))).toBeInstanceOf(Array);
        expect(typed.rows[0]?.[side]).toBeInstanceOf(Array);
      }
    }
  },
  "`size`, `price`, `usd` and `fee_usd` of 556; flags": async () => {
    for (const mode of ["strict", "compatible"] as const) {
      const [trade] = (await ask(mode, of(556))).rows;
      for (const field of ["size", "price", "usd", "fee_usd"]) expect(trade?.[field]).toBeTypeOf("number");
      expect((await ask(mode, of(574))).rows[0]?.["closed"]).toBeTypeOf("boolean");
    }
  },
  "`params`, `pagination`, `formatter_config` that are null or absent": async () => {
    const nulls = { agent_id: 556, params: null, pagination: null, formatter_config: null };
    await alike(nulls, { agent_id: 556, params: {}, pagination: {}, formatter_config: {} })();
    await alike({ agent_id: 556 }, nulls)();
  },
  "keys of `formatter_config` that are not known": alike(of(556, {}, { formatter_config: { indent: 2 } }), of(556)),
  "decimals with more digits than are kept": alike(of(556, { min_size: "0.30000000000000004" }), of(556)),
  "whole numbers written `50.0` or `1e3`": alike(of(572, { depth: "5e1" }), of(572, { depth: "50.0" })),
  "slugs and tickers in another letter case": async () => {
    await alike(of(556, { market_slug: "WILL-it-rain" }), of(556))();
    await alike(of(573, { ticker: "kxmars-1" }), of(573))();
  },
  '`""`, `ALL` (but in a text to search for), `BOTH`, and −1 in any spelling for a minimum or maximum': async () => {
    for (const off of ["", "ALL", "both"]) await alike(of(556, { side: off, role: off }), of(556))();
    for (const off of ["-1", "-1.00", "-1e0"]) await alike(of(556, { min_size: off, min_usd: off }), of(556))();
  },
  "−1 where a figure can be negative": async () => {
    for (const mode of ["strict", "compatible"] as const) {
      const { status, warnings } = await ask(mode, of(584, { min_pnl_15d: "-1" }));
      expect([status, warnings.join()]).toEqual([200, expect.stringContaining("-1.01")]);
      const filtered = await ask(mode, of(584, { min_pnl_15d: "-1.01" }));
      expect(filtered.warnings.join()).not.toContain("-1.01");
    }
  },
  "a slash at the end of the path": alike(of(556), of(556), { path: `${ENDPOINT}/` }),
  "an `Accept` that names nothing we offer": async () => {
    await alike(of(556), of(556), { accept: "text/event-stream" })();
    expect((await ask("strict", of(556), { accept: "text/event-stream" })).type).toContain("application/json");
  },
};

const guide = once(
  async () =>
    readFileSync(join(import.meta.dirname, "../../../../docs/guides/moving.md"), "utf8")
      .split("## Warnings")[0]
      ?.split("## What compatible mode does")[1],
);

test("every row of the guide's tables has a test case, and every test case has a row", async () => {
  const cells = [...((await guide()) ?? "").matchAll(/^\| (.+?) \|/gm)].map(([, cell]) => cell);
  expect(cells.filter((cell) => !String(cell).startsWith("what"))).toEqual(Object.keys(CASES));
});

describe("the migration guide is correct about", () => {
  test.each(Object.entries(CASES))("%s", (_row, check) => check());
});

test("the older path accepts limit and offset at the top level of the body", async () => {
  const path = "/api/v1/retrieval/parameterized";
  const { rows } = await ask("compatible", { agent_id: 556, limit: 2, offset: 1 }, { path });
  expect(rows).toEqual((await ask("strict", { agent_id: 556, pagination: { limit: 2, offset: 1 } })).rows);
});
