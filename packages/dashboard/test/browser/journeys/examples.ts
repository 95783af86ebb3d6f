import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { datasets } from "../../../../server/src/catalogue.ts";
import { askBody } from "../../../../../scripts/demo/ask-service.ts";
import { printedQuestions } from "../printed-questions.ts";
import type { Stage } from "../stage.ts";

/** Printed examples are refreshed once a minute, and daily derivations come last: later on a busy machine. */
const BOUND_MS = 480_000;
const LOOK_MS = 5000;
const EXAMPLES = datasets.flatMap(({ examples }) => examples).length;

/** Examples that a small world of one day can never fill. */
const CANNOT: ReadonlySet<string> = new Set([
  // No market that ended in it existed a day before its end.
  "/docs/datasets/calibration, curl: Both venues a day before the end",
  // A Sharpe ratio takes two days, and by the end of yesterday the world had existed for less than one.
  "/docs/datasets/pnl-leaderboard, curl: Steady winners as of a day",
  // No wallet earned the 5,000 USD that are the default minimum.
  "/docs/datasets/wallet-score-leaderboard, curl: The best of the last fifteen days",
]);

/** Returns the queries printed by the service's documents and the README that now return no rows. */
async function emptyIn({ demo, origin }: Stage): Promise<string[]> {
  const questions = await printedQuestions(origin);
  expect(questions.length).toBeGreaterThan(EXAMPLES);
  const empty: string[] = [];
  for (const { where, body } of questions) {
    const { data } = await askBody(demo, body);
    if (data.results.length === 0 && !CANNOT.has(where)) empty.push(`${where}: ${JSON.stringify(body)}`);
  }
  return empty;
}

export function journeyExamples(stage: () => Stage): void {
  describe("the examples that /docs, openapi.json and the README print", () => {
    it(
      "return rows",
      async () => {
        const until = Date.now() + BOUND_MS;
        let empty = await emptyIn(stage());
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
