import { RENDERINGS } from "../../src/query/format.ts";
import { describe, expect, it } from "vitest";
import { isLimited, problemsOf, type FuzzAnswer } from "./check-answer.ts";
import type { FuzzRequest, FuzzWorld } from "./fuzz-request.ts";
import { fuzzRequest } from "./fuzz-requests.ts";
import { countHostile, hostileValue } from "./params-requests.ts";

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
type Reported = Partial<Omit<FuzzAnswer, "body">> & { readonly body?: string };
const JSON_TYPE = "application/json; charset=utf-8";
const answer = ({ body = error(), ...more }: Reported = {}): FuzzAnswer => ({
  status: 400,
  headers: { "x-request-id": "r", "content-type": JSON_TYPE },
  body: Buffer.from(body),
  milliseconds: 3,
  ...more,
});
const options = { maxMilliseconds: 100, secrets: [/\bsecret_table\b/g], canaries: ["canary-of-all"] };
const page = (rows: unknown[], pagination: unknown): string =>
  JSON.stringify({ data: { results: rows }, pagination, request_id: "r" });

describe("the fuzzer's own checks", () => {
  it("accept a correct answer and an echo of the request", () => {
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

  it("do not report a word that occurs by chance in the request id as a leak", () => {
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
    ["no id", answer({ headers: { "content-type": JSON_TYPE } })],
    ["another type", answer({ headers: { "x-request-id": "r", "content-type": "text/html" } })],
    ["a canary", answer({ body: error({ message: "canary-of-all" }) })],
    ["a canary in a header", answer({ headers: { ...answer().headers, etag: "canary-of-all" } })],
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
  ])("report %s", (_name, wrong) => {
    expect(problemsOf(request, wrong, options)).not.toEqual([]);
  });

  it("report a status other than the expected one", () => {
    expect(problemsOf({ ...request, right: [200] }, answer(), options)).not.toEqual([]);
  });

  it("count a documented refusal separately", () => {
    const headers = { ...answer().headers, "retry-after": "1" };
    const shed = answer({ status: 503, headers, body: error({ code: "UNAVAILABLE" }) });
    expect([problemsOf({ ...request, right: [200] }, shed, options), isLimited(shed)]).toEqual([[], true]);
  });

  it("report another account's data, and a canary even if the request contained it", () => {
    const reported = answer({ body: error({ message: "of canary-other" }) });
    const foreign = ["canary-other"];
    expect(problemsOf({ ...request, foreign }, reported, options)).toEqual(['tells "canary-other"']);
    expect(problemsOf({ ...request, foreign, path: "/canary-other" }, reported, options)).toEqual([]);
    const canary = answer({ body: error({ message: "canary-of-all" }) });
    expect(problemsOf({ ...request, path: "/canary-of-all" }, canary, options)).toEqual(['tells "canary-of-all"']);
  });

  it.each([
    ["csv", "{}"],
    ["ndjson", "{}\n{"],
    ["parquet", "PAR1"],
    ["arrow", "ARROW1"],
    ["typed", "[]"],
  ] as const)("report that %s content is not in its format", (format, body) => {
    const headers = { "x-request-id": "r", "content-type": RENDERINGS[format].contentType };
    const wrong = answer({ status: 200, headers, body: body === "PAR1" ? "PAR1 and no end" : body });
    expect(problemsOf({ ...request, format }, wrong, options)).not.toEqual([]);
    const other = { ...headers, "content-type": "text/plain" };
    expect(problemsOf({ ...request, format }, { ...wrong, headers: other }, options)).not.toEqual([]);
  });

  it.each([
    ["console", "/api/console/users", JSON_TYPE, '{"password_hash":"x"}'],
    ["console", "/api/console/users", "text/plain", "{}"],
    ["document", "/docs", "text/html; charset=utf-8", "<html>"],
    ["document", "/openapi.json", JSON_TYPE, "{"],
    ["document", "/docs/docs.css", "text/html; charset=utf-8", "a{}"],
  ] as const)("report a wrong answer of a %s at %s", (target, path, type, body) => {
    const headers = { "x-request-id": "r", "content-type": type };
    expect(problemsOf({ ...request, target, path }, answer({ status: 200, headers, body }), options)).not.toEqual([]);
  });
});

const datasets = [{ agentId: 1, params: [{ name: "a", required: false, sample: "1" }], maxLimit: 10, cursors: [] }];
const world: FuzzWorld = {
  path: "/x",
  alias: "/y",
  datasets,
  callers: [{ key: `alm_live_${"a".repeat(26)}_aaaaaa`, isStrict: true, foreign: [] }],
  sessions: [{ email: "a@b.c", cookie: "c", csrf: "d", foreign: [], mayEnd: false, ids: ["i"] }],
  password: "p",
  documents: ["/docs"],
};
const made = (seed: number): unknown[] => Array.from({ length: 1000 }, (_, index) => fuzzRequest(world, seed, index));

describe("the fuzzer's requests", () => {
  it("are the same for the same seed and index, and differ for another seed", () => {
    expect(made(1)).toEqual(made(1));
    expect(made(1)).not.toEqual(made(2));
  });

  it("cover every hostile value of every parameter", () => {
    const count = countHostile(datasets);
    const bodies = Array.from({ length: count }, (_, place) =>
      hostileValue({ key: "k", path: "/x", datasets }, place).body?.toString(),
    );
    expect(new Set(bodies).size).toBe(count);
  });
});
