import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, openDoor, post, type Door } from "./door.ts";

const BURST = 6;
let door: Door;
let isAnswered = false;
/** What each body says that it costs. */
const costs = (body: Readonly<Record<string, unknown>>): number => Number(body["costs"]);

beforeAll(async () => {
  door = await openDoor(
    async (body, asker) => {
      isAnswered = false;
      await asker.charge?.(costs(body));
      isAnswered = true;
      return answerOf();
    },
    { perMinute: BURST },
  );
});
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

  it("is charged before the question is answered, and told where there is not as much", async () => {
    for (let spent = 4; spent < BURST - 1; spent += 1) await post(door, { costs: 1 });
    const refused = await post(door, { costs: 2 });
    expect([refused.status, costTold(refused), isAnswered]).toEqual([429, "2", false]);
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const before = await post(door, { costs: 2 });
    expect([before.status, costTold(before)]).toEqual([429, "1"]);
  });
});
