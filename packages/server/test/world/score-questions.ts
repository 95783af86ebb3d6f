import type { Question } from "../fixtures/open-test-query.ts";

type Params = Readonly<Record<string, string>>;

const SORTS = ["h_score", "roi", "pnl", "win_rate", "trades", "sharpe"];
const FORMATS = ["raw", "typed", "ndjson"] as const;
const FILTERS: readonly Params[] = [
  {},
  all({}),
  all({ min_win_rate_15d: "0.5", max_total_trades_15d: "60", min_total_trades_15d: "0" }),
  all({ max_win_rate_15d: "0.75", min_roi_15d: "-12.5", min_pnl_15d: "-100.5" }),
];
const WEIGHTS: readonly Params[] = [
  {},
  { weights: "skill:0.6,risk:0.4" },
  { weights: "profit:1,timing:3,breadth:2.7" },
];

/** Turns off the filters that are on by default. */
function all(params: Params): Params {
  const off = ["min_win_rate", "max_win_rate", "min_roi", "min_total_trades", "max_total_trades", "min_pnl"];
  return { ...Object.fromEntries(off.map((one) => [`${one}_15d`, "ALL"])), ...params };
}

/** Queries to the score leaderboard: all orders and filters, with days, weights and formats in rotation. */
export function scoreQuestions(
  days: readonly string[],
  categories: readonly string[],
  wallets: readonly string[],
): Question[] {
  const list = wallets.join(",");
  const boards = days.flatMap((as_of) =>
    SORTS.flatMap((sort_by) =>
      FILTERS.map((filters, at) => Object.assign({ as_of, sort_by }, filters, turn(WEIGHTS, at))),
    ),
  );
  const named = [...SORTS.map((sort_by) => ({ sort_by })), ...WEIGHTS, { min_pnl_15d: "-5" }].flatMap((params) =>
    days.map((as_of) => ({ as_of, wallet: list, ...params })),
  );
  const within = categories.flatMap((category, at) => [
    all({ as_of: turn(days, at), category }),
    all({ as_of: turn(days, at + 1), category, sort_by: "win_rate", ...turn(WEIGHTS, at) }),
    ...days.map((as_of) => ({ as_of, category, wallet: list })),
  ]);
  return [...boards, ...named, ...within].map((params, at) => ({
    params,
    format: turn(FORMATS, at),
    pagination: { limit: 7, offset: at % 4 },
  }));
}

const turn = <Value>(values: readonly Value[], at: number): Value => values[at % values.length] as Value;
