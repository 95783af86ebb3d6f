import { textTable } from "../../packages/server/src/cli/text-table.ts";
import type { Accuracy } from "./accuracy.ts";
import { paperPrices } from "./dynamics/paper-prices.ts";
import { recordedPrices } from "./dynamics/recorded-prices.ts";
import { tellReturns, type PricesOf } from "./dynamics/tell-returns.ts";

const MINUTES = [1, 5];

/** How prices move from bar to bar, of the paper worlds beside recorded ones: whether they trend, or fall back. */
export const accuracyOfDynamics: Accuracy = async (worlds) => {
  const all: PricesOf[] = [...(await recordedPrices()), ...worlds.flatMap((world) => paperPrices(world))];
  const found = all.flatMap((one) => MINUTES.map((minutes) => tellReturns(one, minutes)));
  const head = ["PRICES", "SERIES", "BAR", "RETURNS", "SD", "AUTOCORRELATION", "VR 2", "VR 4", "VR 12"];
  const rows = found.map(({ name, series, minutes, returns, deviation, autocorrelation, ratios }) => [
    name,
    String(series),
    `${minutes}m`,
    String(returns),
    deviation.toFixed(4),
    autocorrelation.toFixed(3),
    ...ratios.map((ratio) => ratio.toFixed(2)),
  ]);
  return { text: textTable(head, rows), value: found };
};
