import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { askExamples, emptyOf } from "../../../../../scripts/demo/ask-examples.ts";
import type { Stage } from "../stage.ts";

const BOUND_MS = 150_000;
const LOOK_MS = 5000;

/** What a small world of one day cannot fill, whatever it is given of time. */
const CANNOT: ReadonlySet<string> = new Set([
  // No market of it that ended was there a day before its end.
  "calibration: Both venues a day before the end",
  // A Sharpe ratio takes two days, and by the end of yesterday the world had not been there for one.
  "pnl-leaderboard: Steady winners as of a day",
  // Nobody in it earned the 5,000 USD that are asked for where no other amount is.
  "wallet-score-leaderboard: The best of the last fifteen days",
]);

const emptyIn = async (stage: Stage): Promise<string[]> =>
  emptyOf(await askExamples(stage.demo)).filter((name) => !CANNOT.has(name));

export function journeyExamples(stage: () => Stage): void {
  describe("examples", () => {
    it(
      "of every dataset have rows",
      async () => {
        const until = Date.now() + BOUND_MS;
        let empty = await emptyIn(stage());
        // What is worked out by days comes after all else.
        while (empty.length > 0 && Date.now() < until) {
          await sleep(LOOK_MS);
          empty = await emptyIn(stage());
        }
        expect(empty).toEqual([]);
      },
      BOUND_MS + 60_000,
    );
  });
}
