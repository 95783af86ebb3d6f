import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CallerError } from "../../src/definition/errors.ts";
import { errorBody } from "../../src/http/error-answers.ts";
import { datasets } from "../../src/catalogue.ts";
import type { KeyMode } from "../../src/definition/vocabulary.ts";
import type { Answer } from "../../src/query/answer.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";
import { openBothModes, type Row } from "./open-both-modes.ts";
import { shapes } from "./shapes.ts";

let modes: Awaited<ReturnType<typeof openBothModes>>;
beforeAll(async () => {
  modes = await openBothModes();
});
afterAll(() => modes.close());

const ask = (body: Readonly<Record<string, unknown>>, mode: KeyMode): Promise<Answer> =>
  modes.query.ask(body, { mayRead: () => true, maxPage: 10_000, mode }, undefined);
const rowsOf = ({ body }: Answer): Row[] => JSON.parse(body.toString("utf8")) as Row[];

test("covers at least 400 request shapes", () => {
  expect(shapes.length).toBeGreaterThanOrEqual(400);
});

describe.each(datasets.map(({ agentId }) => agentId))("%d", (agentId) => {
  test("answers every shape in compatible mode; strict mode answers it or returns the documented error", async () => {
    for (const { of, body, how, strict, isEmpty = false } of shapes.filter((one) => one.body["agent_id"] === agentId)) {
      const [answer, reported] = [await modes.ask("compatible", body, how), await modes.ask("strict", body, how)];
      expect([of, answer.status, answer.code]).toEqual([of, 200, undefined]);
      if (isEmpty) expect(answer.rows, of).toEqual([]);
      if (strict === "rows") {
        expect([of, reported.status, reported.code]).toEqual([of, 200, undefined]);
        continue;
      }
      expect(answer.warnings.length, of).toBeGreaterThan(0);
      expect([of, reported.status, reported.code]).toEqual([of, 400, strict]);
    }
  });

  test("answers the documented request the same in both modes, except for declared nulls in raw", async () => {
    const body = { agent_id: agentId, params: SAMPLE_PARAMS[agentId] ?? {} };
    const dataset = datasets.find((one) => one.agentId === agentId);
    for (const format_type of ["raw", "typed"]) {
      const requested = { ...body, formatter_config: { format_type } };
      const [strict, compatible] = [await ask(requested, "strict"), await ask(requested, "compatible")];
      if (dataset?.neverNull === undefined || format_type === "typed") {
        expect(compatible.body.equals(strict.body)).toBe(true);
        continue;
      }
      for (const [at, row] of rowsOf(compatible).entries()) {
        for (const [field, value] of Object.entries(rowsOf(strict)[at] ?? {}))
          if (value !== null) expect(row[field], field).toEqual(value);
      }
      expect(compatible.etag === strict.etag).toBe(compatible.body.equals(strict.body));
    }
  });
});

test("556 returns numbers and no null text, 572 returns books as JSON strings, flags are booleans", async () => {
  for (const row of rowsOf(await ask({ agent_id: 556 }, "compatible"))) {
    for (const field of ["size", "price", "usd"]) expect(row[field]).toBeTypeOf("number");
    for (const field of ["outcome", "side", "transaction_hash", "proxy_wallet", "slug"])
      expect(row[field]).toBeTypeOf("string");
  }
  const [book] = rowsOf(await ask({ agent_id: 572, params: SAMPLE_PARAMS[572] ?? {} }, "compatible"));
  for (const side of ["bids", "asks"]) expect(JSON.parse(String(book?.[side]))).toBeInstanceOf(Array);
  for (const row of rowsOf(await ask({ agent_id: 574 }, "compatible"))) expect(row["closed"]).toBeTypeOf("boolean");
});

test.each([575, 579, 581, 584])("%d returns no null figure in raw for a compatible key", async (agentId) => {
  const dataset = datasets.find((one) => one.agentId === agentId);
  const figures = Object.entries(dataset?.row ?? {}).filter(([, { wire }]) => /^(?:int|num|dec)/.test(wire));
  const rows = rowsOf(await ask({ agent_id: agentId, params: SAMPLE_PARAMS[agentId] ?? {} }, "compatible"));
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) for (const [field] of figures) expect(row[field], field).not.toBeNull();
});

test("581 returns every requested wallet, without a limit", async () => {
  const params = SAMPLE_PARAMS[581] ?? {};
  const rows = rowsOf(await ask({ agent_id: 581, params }, "strict"));
  expect(rows.map((row) => row["proxy_wallet"])).toEqual(String(params["proxy_wallet"]).split(","));
});

const reported = (mode: KeyMode): Record<string, unknown> =>
  JSON.parse(errorBody(new CallerError("NOT_FOUND", "m"), "id", "", mode).toString()) as Record<string, unknown>;

test("an error has an additional status for a compatible key only", () => {
  expect(reported("compatible")).toMatchObject({ status: "error", error: { message: "m" } });
  expect(reported("strict")).not.toHaveProperty("status");
});
