import { afterEach, expect, test } from "vitest";
import { openPaper, type Paper } from "./paper.ts";

let paper: Paper;
afterEach(() => paper.served.close());

test("over the limit, the Data API returns 429 with Retry-After, and Gamma the bare 429 page of the edge", async () => {
  let wall = 0;
  paper = await openPaper({ rate_limit_scale: 0.01, wall: () => wall });
  for (let requested = 0; requested < 3; requested += 1)
    expect((await paper.get("data", `/v2/trades?limit=1&_=${requested}`)).status).toBe(200);
  const refused = await paper.get("data", "/v2/trades?limit=1");
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", retryable: true } });
  expect(Number(refused.headers.get("retry-after"))).toBe(10);
  wall += 10_000;
  expect((await paper.get("data", "/v2/trades?limit=1")).status).toBe(200);
  for (let requested = 0; requested < 3; requested += 1)
    expect((await paper.get("gamma", "/markets/keyset?limit=1")).status).toBe(200);
  const edge = await paper.get("gamma", "/markets/keyset?limit=1");
  expect(edge).toMatchObject({ status: 429, body: "error code: 1015" });
  expect(edge.headers.get("retry-after")).toBeNull();
});

test("no request is rate limited without a scale", async () => {
  paper = await openPaper();
  const replies = await Promise.all(Array.from({ length: 400 }, () => paper.get("gamma", "/tags?limit=1")));
  expect(replies.some((reply) => reply.status === 429)).toBe(false);
});
