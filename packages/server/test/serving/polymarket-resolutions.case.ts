import { polymarketResolutionsDataset } from "../../src/datasets/polymarket-resolutions.ts";
import { polymarketResolutions } from "../../src/tables/polymarket-resolutions.ts";
import { servedResolutions } from "../../src/tables/served-resolutions.ts";
import type { Case } from "./oracle-of.ts";
import { NEW_YEAR, SPAN_SECONDS, type Draw } from "./random-fills.ts";
import { randomPage, randomParams, randomRange } from "./random-questions.ts";

const PAYOUTS: readonly (readonly [numerators: string[], payouts: string[]])[] = [
  [
    ["1", "0"],
    ["1", "0"],
  ],
  [
    ["0", "1"],
    ["0", "1"],
  ],
  [
    ["1", "1"],
    ["0.5", "0.5"],
  ],
  [
    ["1", "1", "1"],
    ["0.333333", "0.333333", "0.333333"],
  ],
  [
    ["0", "0", String(2n ** 256n - 1n)],
    ["0", "0", "1"],
  ],
  [[], []],
];

/** Resolutions of a few conditions, several per transaction. */
export function polymarketResolutionsCase({ below, hex }: Draw): Case {
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const conditions = Array.from({ length: 8 }, () => hex(32));
  const oracles = [hex(20), hex(20)];
  return {
    dataset: polymarketResolutionsDataset,
    tables: [{ table: polymarketResolutions, served: servedResolutions }],
    rows: () => [
      {
        table: polymarketResolutions,
        rows: Array.from({ length: 1 + below(40) }, () => ({
          ts: below(40) === 0 ? pick([1, 4_294_967_295]) : NEW_YEAR + below(below(SPAN_SECONDS) + 1),
          tx_hash: hex(32),
          block_number: pick([0, 84_000_000, 4_294_967_295]),
        })).flatMap((transaction) =>
          Array.from({ length: 1 + below(4) }, (_, index) => {
            const [payout_numerators, payouts] = pick(PAYOUTS);
            return {
              ...transaction,
              log_index: index * pick([1, 1000]),
              condition_id: pick(conditions),
              oracle: pick(oracles),
              question_id: hex(32),
              payout_numerators,
              payouts,
            };
          }),
        ),
      },
    ],
    question: () => {
      const { params, chance } = randomParams(below);
      chance("condition_id", 2, () =>
        Array.from({ length: 1 + below(3) }, () => pick([...conditions, hex(32)])).join(),
      );
      const [from, to] = randomRange(below, SPAN_SECONDS);
      const timestamp = (seconds: number): string => String(NEW_YEAR + seconds + below(2) * 0.5);
      chance("start_time", 3, () => timestamp(from));
      chance("end_time", 3, () => timestamp(to + 1));
      return { params, pagination: randomPage(below), format: pick(["raw", "typed", "ndjson"]) };
    },
  };
}
