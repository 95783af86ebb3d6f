import { choice } from "./param-kinds.ts";
import type { Param } from "./param.ts";
import type { Bound } from "./sql.ts";

const FILLS = ["none", "previous", "quotes"] as const;

/** Which buckets candles include: those with trades; these and all between them; or these and those with quotes. */
export type Fill = (typeof FILLS)[number];

export const fillParam = (quoted: string): Param =>
  choice(...FILLS)
    .default("none")
    .describe(
      `Which candles there are: none: those that traded; previous: also the quiet ones between them, with the last close as all four prices and no volume (after the newest trade there are none yet); quotes: also ${quoted}, with null prices.`,
    );

export const fillOf = (given: Bound | undefined): Fill => FILLS.find((one) => one === given?.value) ?? "none";

/** Fields that a quiet bucket takes from the preceding close. */
export const CARRIED = ["open", "high", "low", "close"] as const;
