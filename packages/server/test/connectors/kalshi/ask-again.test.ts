import { expect, test } from "vitest";
import { AskAgain } from "../../../src/connectors/kalshi/book/ask-again.ts";

/** The seconds at which a market that sends nothing is requested again, checked every second. */
function requestedAt(again: AskAgain, seconds: number): number[] {
  return Array.from({ length: seconds }, (_, second) => second).filter(
    (second) => again.takeDue(second * 1000).length > 0,
  );
}

test("requests a market that sends nothing again, less and less often", () => {
  const again = new AskAgain();
  again.expect(["A"], 0);
  expect(requestedAt(again, 3600)).toEqual([15, 45, 105, 225, 465, 945, 1905, 2865]);
});

test("does not request a market again once it has arrived, and restarts its wait the next time", () => {
  const again = new AskAgain();
  again.expect(["A"], 0);
  expect(again.takeDue(15_000)).toEqual(["A"]);
  again.settle("A");
  expect(again.takeDue(60_000)).toEqual([]);
  again.expect(["A"], 60_000);
  expect(again.takeDue(74_999)).toEqual([]);
  expect(again.takeDue(75_000)).toEqual(["A"]);
});
