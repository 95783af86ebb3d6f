import { describe, expect, it } from "vitest";
import { problemsOf, type FuzzAnswer } from "./check-answer.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import { fuzzRequests } from "./fuzz-requests.ts";
import { randomFrom } from "./random.ts";

const request: FuzzRequest = {
  kind: "test",
  method: "POST",
  path: "/x",
  headers: {},
  body: '{"a":"it\\"s DROP TABLE x"}',
};
const error = (more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    error: {
      code: "INVALID_PARAMS",
      message: "params.x: is not known.",
      request_id: "r",
      docs: "https://x/docs",
      ...more,
    },
  });
const answer = (more: Partial<FuzzAnswer> = {}): FuzzAnswer => ({
  status: 400,
  headers: { "x-request-id": "r", "content-type": "application/json" },
  body: error(),
  milliseconds: 3,
  ...more,
});
const options = { maxMilliseconds: 100, secrets: [/\bsecret_table\b/] };
const page = (rows: unknown[], pagination: unknown): string =>
  JSON.stringify({ data: { results: rows }, pagination, request_id: "r" });

describe("the fuzz's own check", () => {
  it("is content with a right answer and with an echo of the request", () => {
    expect(problemsOf(request, answer(), options)).toEqual([]);
    expect(problemsOf(request, answer({ body: error({ message: 'got it"s DROP TABLE x' }) }), options)).toEqual([]);
    expect(
      problemsOf(
        request,
        answer({ status: 200, body: page([1], { limit: 1, has_more: true, next_cursor: "c" }) }),
        options,
      ),
    ).toEqual([]);
  });

  it("takes a word that chance spelt in the request id for no leak", () => {
    const id = "req_01M7XBECHDB3G6VYE7B8TF51MN";
    const headers = { ...answer().headers, "x-request-id": id };
    expect(problemsOf(request, answer({ headers, body: error({ request_id: id }) }), options)).toEqual([]);
    const leaking = answer({ headers, body: error({ request_id: id, message: "chdb is down" }) });
    expect(problemsOf(request, leaking, options)).toEqual(['leaks "chdb"']);
  });

  it.each([
    ["a 500", answer({ status: 500, body: error({ code: "INTERNAL" }) })],
    ["a shed load", answer({ status: 503, body: error({ code: "UNAVAILABLE" }) })],
    ["a slow answer", answer({ milliseconds: 101 })],
    ["no id", answer({ headers: { "content-type": "application/json" } })],
    ["another id", answer({ body: error({ request_id: "s" }) })],
    ["no JSON", answer({ body: "<html>" })],
    ["another shape", answer({ body: '{"message":"x"}' })],
    ["an unknown code", answer({ body: error({ code: "FST_ERR" }) })],
    ["another code's status", answer({ body: error({ code: "NOT_FOUND" }) })],
    ["an engine's text", answer({ body: error({ message: "DB::Exception: Code: 62." }) })],
    ["SQL", answer({ body: error({ message: "near SELECT x" }) })],
    ["a path", answer({ body: error({ message: "open /work/main/x failed" }) })],
    ["a stack", answer({ body: error({ details: [{ path: "x", problem: "at parse (a.ts:12:3)" }] }) })],
    ["a table", answer({ body: error({ message: "secret_table is empty" }) })],
    ["an upstream", answer({ body: error({ message: "gamma-api.polymarket.com said no" }) })],
    [
      "more rows than asked",
      answer({ status: 200, body: page([1, 2], { limit: 1, has_more: false, next_cursor: null }) }),
    ],
    [
      "more without a cursor",
      answer({ status: 200, body: page([1], { limit: 1, has_more: true, next_cursor: null }) }),
    ],
  ])("notices %s", (_name, wrong) => {
    expect(problemsOf(request, wrong, options)).not.toEqual([]);
  });

  it("notices another status than the right one", () => {
    expect(problemsOf({ ...request, right: [200] }, answer(), options)).not.toEqual([]);
  });

  it("makes the same requests from the same seed, and others from another", () => {
    const datasets = [{ agentId: 1, params: [{ name: "a", required: false, sample: "1" }], maxLimit: 10, cursors: [] }];
    const made = (seed: number): unknown[] => [
      ...fuzzRequests({ key: `alm_live_${"a".repeat(26)}_aaaaaa`, path: "/x", datasets }, randomFrom(seed), 1000),
    ];
    expect(made(1)).toEqual(made(1));
    expect(made(1)).not.toEqual(made(2));
  });
});
