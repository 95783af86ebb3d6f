import { expect, test } from "vitest";
import { addUp, toMarkdown } from "../../../../scripts/campaign/campaign-table.ts";
import { drawRun } from "../../../../scripts/campaign/draw-run.ts";
import { brokenRun, runLine } from "../../../../scripts/campaign/run-result.ts";

const settled = { ...brokenRun(drawRun(7), "", 20), isGood: true, problems: [] };
const unsettled = {
  ...settled,
  seed: 8,
  waiting: [`kalshi-book is failing (${"late ".repeat(100)})`, "polymarket_fills holds 3 of 4 rows\nat once", "a", "b"],
};

test("a run's line states briefly what the run still waited for, if anything", () => {
  expect(runLine(settled)).not.toContain("waiting");
  expect(runLine(unsettled)).toMatch(
    / {2}still waiting: kalshi-book is failing \(late [a-z ]{70,90}…; polymarket_fills holds 3 of 4 rows; 2 more$/,
  );
});

test("the totals list the runs that still waited for something, failed or not", () => {
  const totals = addUp([settled, unsettled]);
  expect([totals.failed, totals.unsettled]).toEqual([[], [8]]);
  expect(toMarkdown(totals)).toContain("2 runs, all good; 0 problems beside the rows; 1 (8) still waited");
  expect(toMarkdown(addUp([settled]))).toContain("none still waited");
});
