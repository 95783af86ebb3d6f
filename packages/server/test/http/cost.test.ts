import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { memoryAllowances } from "../../src/access/allowances.ts";
import { answerOf, doorOptions, openDoor, post, type Door } from "./door.ts";

/** Units a minute, too. */
const BURST = 6;
const MINUTE_MS = 60_000;
/** A key of at most two units at once. */
const SMALL = "small";
let door: Door;
let [isAnswered, now] = [false, 1_700_000_000_000];
/** What each body says that it costs. */
const costs = (body: Readonly<Record<string, unknown>>): number => Number(body["costs"]);

beforeAll(async () => {
  const { access } = doorOptions(async () => answerOf());
  const pace = { requestsPerMinute: BURST, burst: BURST };
  const plan = { name: "free", ...pace, maxPage: 1000, maxList: 50, atOnce: 9, keyAtOnce: 9, datasets: "all" } as const;
  const caller = { prefix: "alm", accountId: "account-1", plan, datasets: null, mode: "strict" } as const;
  const verify = async (token: string) =>
    token === "x" ? undefined : { ...caller, keyId: token, keyPace: token === SMALL ? { ...pace, burst: 2 } : null };
  door = await openDoor(
    async (body, asker) => {
      isAnswered = false;
      await asker.charge?.(costs(body));
      isAnswered = true;
      return answerOf();
    },
    { access: { ...access, ...memoryAllowances(() => now), verify } },
  );
});
beforeEach(() => (now += MINUTE_MS));
afterAll(() => door.close());

const costTold = (reply: Response): string | null => reply.headers.get("x-almanac-cost");

describe("what a question costs", () => {
  it("is told with an answer and with a 304", async () => {
    const first = await post(door, { costs: 1 });
    expect([first.status, costTold(first)]).toEqual([200, "1"]);
    const again = await post(door, { costs: 1 }, { "if-none-match": first.headers.get("etag") ?? "" });
    expect([again.status, costTold(again)]).toEqual([304, "1"]);
  });

  it("is never more than the full bucket", async () => {
    expect(costTold(await post(door, { costs: 50 }))).toBe(String(BURST));
  });

  it("is not told to strangers", async () => {
    expect(costTold(await post(door, { costs: 1 }, { authorization: "Bearer x" }))).toBeNull();
  });

  it("is never more than the key's own bucket", async () => {
    const reply = await post(door, { costs: 50 }, { authorization: `Bearer ${SMALL}` });
    expect([reply.status, costTold(reply)]).toEqual([200, "2"]);
  });

  it("is charged before the question is answered, and there after the wait that is told where it was not", async () => {
    expect((await post(door, { costs: BURST - 1 })).headers.get("x-ratelimit-remaining")).toBe("1");
    const refused = await post(door, { costs: 2 });
    expect([refused.status, costTold(refused), isAnswered]).toEqual([429, "2", false]);
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(refused.headers.get("retry-after")).toBe("20");
    const before = await post(door, { costs: 2 });
    expect([before.status, costTold(before)]).toEqual([429, "1"]);
    now += 19_900;
    expect((await post(door, { costs: 2 })).status).toBe(429);
    now += 20_000;
    expect([(await post(door, { costs: 2 })).status, isAnswered]).toEqual([200, true]);
  });
});
