import type { Formula } from "../../definition/formula.ts";

export const bookFormula: readonly Formula[] = [
  {
    title: "A book of a moment",
    fields: [
      "asks",
      "bids",
      "best_bid",
      "best_ask",
      "mid",
      "spread",
      "bid_depth_usd",
      "ask_depth_usd",
      "micro_price",
      "imbalance",
    ],
    says: [
      "Levels are those of the newest stored snapshot with every change since, size 0 taking a level away. Each event of the book is a row.",
      "`mid` = (`best_bid` + `best_ask`) / 2; `spread` = `best_ask` − `best_bid`; both go by the whole book.",
      "`micro_price` = (`best_bid` × size of the best ask + `best_ask` × size of the best bid) / both sizes, by the whole book.",
      "`bid_depth_usd` and `ask_depth_usd` = Σ price × size over the levels shown, so `depth` bounds them.",
      "`imbalance` = (`bid_depth_usd` − `ask_depth_usd`) / (`bid_depth_usd` + `ask_depth_usd`): 1 is all bids, -1 all asks. With `depth` 1 it is that of the best levels.",
    ],
  },
];
