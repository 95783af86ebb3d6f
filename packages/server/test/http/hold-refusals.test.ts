import { afterEach, expect, test } from "vitest";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { answerOf, openApi, OTHER_TOKEN, post, type Api } from "./api.ts";
import { rawRequest } from "./raw-request.ts";

let api: Api;
afterEach(() => api.close());

const QUESTION = { agent_id: 574 };
const NOBODY = { authorization: "Bearer nobody" };
const statusOf = async (headers: Record<string, string>): Promise<number> =>
  (await post(api, QUESTION, headers)).status;

test.each([
  ["keys that nobody has", 401, NOBODY, Number.MAX_SAFE_INTEGER],
  ["a key that asks too often", 429, {}, 1],
])(
  "delays refusals of one address beyond a few a second, but no answers: %s",
  async (_, status, headers, perMinute) => {
    api = await openApi(async () => answerOf(), {
      perMinute,
      bounds: { maxRefusalsOfOne: 3, refusalHoldMs: 300 },
      trustedProxies: ["127.0.0.1"],
    });
    if (status === 429) expect(await statusOf(headers)).toBe(200);
    for (let turn = 0; turn < 3; turn += 1) expect(await statusOf(headers)).toBe(status);
    const answered: string[] = [];
    const note = async (who: string, requested: Promise<number>): Promise<number> => {
      const got = await requested;
      answered.push(who);
      return got;
    };
    const from = performance.now();
    const held = note("held", statusOf(headers));
    expect(await note("of another address", statusOf({ ...headers, "x-forwarded-for": "203.0.113.7" }))).toBe(status);
    expect(await note("with a key", statusOf({ authorization: `Bearer ${OTHER_TOKEN}` }))).toBe(200);
    expect(await held).toBe(status);
    const took = performance.now() - from;
    expect(answered).toEqual(["of another address", "with a key", "held"]);
    const counted = await api.metrics.getSingleMetric("almanac_http_refusals_held_total")?.get();
    expect(counted?.values).toMatchObject([{ value: 1 }]);
    // The logged duration excludes the delay.
    await expect.poll(() => api.lines.filter((line) => line["status"] === status).length).toBe(5);
    const line = api.lines.findLast((one) => one["status"] === status);
    expect(took - Number(line?.["ms"])).toBeGreaterThan(290);
  },
);

test("requests sent together on one connection get only one delayed refusal", async () => {
  api = await openApi(async () => answerOf(), { bounds: { maxRefusalsOfOne: 3, refusalHoldMs: 300 } });
  const request = `POST ${ENDPOINT} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer nobody\r\ncontent-length: 0\r\n\r\n`;
  const text = await rawRequest(api.port, request.repeat(10));
  expect(text.match(/HTTP\/1\.1 401 /g)).toHaveLength(4);
  expect(text.match(/connection: close/gi)).toHaveLength(1);
});
