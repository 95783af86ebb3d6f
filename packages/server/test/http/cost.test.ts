import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { memoryAllowances } from "../../src/access/allowances.ts";
import { answerOf, apiOptions, openApi, post, type Api } from "./api.ts";

/** Also the units a minute. */
const BURST = 6;
const MINUTE_MS = 60_000;
/** A key whose burst is two units. */
const SMALL = "small";
let api: Api;
let [isAnswered, now] = [false, 1_700_000_000_000];
/** Returns the cost stated in the body. */
const costs = (body: Readonly<Record<string, unknown>>): number => Number(body["costs"]);

beforeAll(async () => {
  const { access } = apiOptions(async () => answerOf());
  const pace = { requestsPerMinute: BURST, burst: BURST };
  const plan = { name: "free", ...pace, maxPage: 1000, maxList: 50, atOnce: 9, keyAtOnce: 9, datasets: "all" } as const;
  const caller = { prefix: "alm", accountId: "account-1", plan, datasets: null, mode: "strict" } as const;
  const verify = async (token: string) =>
    token === "x" ? undefined : { ...caller, keyId: token, keyPace: token === SMALL ? { ...pace, burst: 2 } : null };
  api = await openApi(
    async (body, asker) => {
      isAnswered = false;
      await asker.charge?.(costs(body));
      isAnswered = true;
      return answerOf();
    },
    { access: { ...access, ...memoryAllowances(() => now), verify }, clock: () => now },
  );
});
// After two minutes every bucket is full, including that of refusals.
beforeEach(() => (now += 2 * MINUTE_MS));
afterAll(() => api.close());

/** The remaining units and the wait, as the headers report them. */
const left = ({ headers }: Response): (string | null)[] =>
  ["x-ratelimit-remaining", "x-ratelimit-reset", "retry-after", "ratelimit"].map((name) => headers.get(name));
const costReported = (reply: Response): string | null => reply.headers.get("x-almanac-cost");

describe("the cost of a request", () => {
  it("is reported with an answer and with a 304", async () => {
    const first = await post(api, { costs: 1 });
    expect([first.status, costReported(first)]).toEqual([200, "1"]);
    const again = await post(api, { costs: 1 }, { "if-none-match": first.headers.get("etag") ?? "" });
    expect([again.status, costReported(again)]).toEqual([304, "1"]);
  });

  it("never exceeds the account's full bucket", async () => {
    expect(costReported(await post(api, { costs: 50 }))).toBe(String(BURST));
  });

  it("is not reported without a valid key", async () => {
    expect(costReported(await post(api, { costs: 1 }, { authorization: "Bearer x" }))).toBeNull();
  });

  it("never exceeds the key's own bucket", async () => {
    const reply = await post(api, { costs: 50 }, { authorization: `Bearer ${SMALL}` });
    expect([reply.status, costReported(reply)]).toEqual([200, "2"]);
  });

  it("is charged before the request is answered, and not if it is refused, which reports its own wait", async () => {
    expect((await post(api, { costs: BURST - 1 })).headers.get("x-ratelimit-remaining")).toBe("1");
    for (let turn = 0; turn < 3; turn += 1) {
      const refused = await post(api, { costs: 2 });
      expect([refused.status, costReported(refused), isAnswered]).toEqual([429, "2", false]);
      expect(left(refused)).toEqual(["1", "10", "10", '"burst";r=1;t=10']);
    }
    now += 9_999;
    expect((await post(api, { costs: 2 })).status).toBe(429);
    now += 1;
    expect([(await post(api, { costs: 2 })).status, isAnswered]).toEqual([200, true]);
  });

  it("is known if no unit is left, so that the refusal reports the whole wait at once", async () => {
    await post(api, { costs: BURST });
    const refused = await post(api, { costs: 4 });
    expect([refused.status, costReported(refused), isAnswered]).toEqual([429, "4", false]);
    expect(left(refused)).toEqual(["0", "40", "40", '"burst";r=0;t=40']);
    now += 40_000;
    expect((await post(api, { costs: 4 })).headers.get("x-ratelimit-remaining")).toBe("0");
  });

  it("is one unit for a malformed request, which is rate limited if none is left", async () => {
    await post(api, { costs: BURST - 1 });
    const first = await post(api, "{");
    expect([first.status, costReported(first), first.headers.get("x-ratelimit-remaining")]).toEqual([400, "1", "0"]);
    const second = await post(api, "{");
    expect([second.status, costReported(second), ...left(second)]).toEqual([
      429,
      "1",
      "0",
      "10",
      "10",
      '"burst";r=0;t=10',
    ]);
  });

  it("is not computed after burst + 1 refusals: requests go unread and get the wait until one is read", async () => {
    await post(api, { costs: BURST - 1 });
    for (let turn = 0; turn <= BURST; turn += 1) expect(costReported(await post(api, { costs: 3 }))).toBe("3");
    const unread = await post(api, { costs: 3 });
    expect([unread.status, costReported(unread)]).toEqual([429, null]);
    expect(left(unread)).toEqual(["1", "10", "10", '"burst";r=1;t=10']);
    now += 9_999;
    expect([(await post(api, { costs: 1 })).status, costReported(await post(api, "{"))]).toEqual([429, null]);
    now += 1;
    expect((await post(api, { costs: 1 })).headers.get("x-ratelimit-remaining")).toBe("1");
    expect(left(await post(api, { costs: 3 }))).toEqual(["1", "20", "20", '"burst";r=1;t=20']);
  });
});
