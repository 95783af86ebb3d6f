import { expect, test } from "vitest";
import { curveFields } from "../../src/derivations/wallet-figures/curve-figures.ts";

/** Drawdowns of a wallet that made these profits day by day. */
function drawdownsOf(profits: readonly number[]) {
  const series = profits.map((profit, day) => ({ day, profit, capital: 100 }));
  const fields = curveFields(series, { first: 0, last: profits.length - 1, length: profits.length }, null);
  return [fields["max_drawdown"], fields["max_drawdown_usd"], fields["ulcer_index"]];
}

test.each([
  { profits: [0], drawdowns: [0, 0, 0] },
  { profits: [0, 0], drawdowns: [0, 0, 0] },
  { profits: [5, 0, 5], drawdowns: [0, 0, 0] },
  { profits: [10, -5], drawdowns: [0.5, 5, 0.353553] },
  { profits: [-5], drawdowns: [null, 5, null] },
  { profits: [-5, 5], drawdowns: [null, 5, null] },
  { profits: [-5, 15], drawdowns: [null, 5, null] },
  { profits: [-5, 15, -1], drawdowns: [0.1, 5, 0.057735] },
  { profits: [], drawdowns: [null, null, null] },
])("the drawdowns of profits $profits are $drawdowns", ({ profits, drawdowns }) => {
  expect(drawdownsOf(profits)).toEqual(drawdowns.map((real) => (real === null ? null : { real })));
});
