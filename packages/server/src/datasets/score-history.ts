import { dec, hexId, int, iso, list, num, real, text } from "../definition/column.ts";
import { defineDataset, type OrderKey } from "../definition/dataset.ts";
import { hexOf } from "../definition/filter.ts";
import { day, wallet, words } from "../definition/param-kinds.ts";
import { orderKey } from "../definition/sorting.ts";
import { bind, joined, sql, type Bound } from "../definition/sql.ts";
import { DRAWABLE, drawBounds, type Drawable } from "../derivations/wallet-score/draw-bounds.ts";
import {
  scoreHistorySql,
  scoresByDaySql,
  boundsSql,
  reasonsWith,
} from "../derivations/wallet-score/score-history-sql.ts";
import { walletDays } from "../tables/wallet-days.ts";
import { walletEntries } from "../tables/wallet-entries.ts";
import { walletScores } from "../tables/wallet-scores.ts";
import { formulaOf } from "./formula-of.ts";
import { walletScoreLeaderboard } from "./wallet-score-leaderboard.ts";
import { contextFields, contextSelect } from "./shared-profit.ts";

const percentile = (): ReturnType<typeof real> => real("0 to 1");
const order: OrderKey[] = [
  orderKey(sql`at`, "desc", "seconds", "date"),
  orderKey(hexOf(sql`wallet`), "asc", "text", "wallet"),
];

const requestedOf = (p: Readonly<Partial<Record<"wallet" | "category" | "start_date" | "end_date", Bound>>>) => ({
  wallets: p.wallet,
  category: p.category,
  from: p.start_date,
  to: p.end_date,
});

export const scoreHistory = defineDataset({
  agentId: 1006,
  name: "score-history",
  title: "Score history",
  summary: "A wallet's score by day, with all its components, newest first.",
  plan: "pro",
  goesWith: walletScoreLeaderboard,
  params: {
    wallet: wallet().list().required().describe("Wallets."),
    category: words().describe('Scores within a category, e.g. "Sports / Tennis", in any letter case; all if omitted.'),
    start_date: day().describe("First UTC day, inclusive."),
    end_date: day().describe("Last UTC day, inclusive."),
  },
  row: {
    date: iso().describe("UTC day; the window is this day and the fourteen before."),
    wallet: hexId().describe("Wallet, lower case."),
    category: text().describe("Category path; empty for all."),
    h_score: dec(3, "0 to 100").describe("100 · Σ weight · percentile × penalties (docs/score.md)."),
    score_low: dec(3, "0 to 100").maybe(
      "5 % bound by bootstrap over events; null for scores of a version that stored no data for it.",
    ),
    score_high: dec(3, "0 to 100").maybe("95 % bound; null if score_low is."),
    pool: int().describe("Wallets in the ranked pool that day."),
    independent_fills: int().describe(
      "Entries in markets resolved in the window; buys of a token within an hour count as one.",
    ),
    events: int().describe("Distinct events of these entries."),
    edge: real("USD per share").describe("Mean of payout − price, luck removed, minus one tick and fees."),
    edge_shrunk: real("USD per share").describe("edge · n/(n + k) toward the category's mean."),
    edge_low: real("USD per share").describe("Lower 10 % bound of edge_shrunk; skill is ranked by it."),
    z: real().describe("Σ(payout − price) / √Σ price(1 − price)."),
    q_value: num("0 to 1").describe("Benjamini-Hochberg q-value of z over the pool."),
    capped_pnl: dec(2, "USD").describe("Realised profit, each market's gain capped at a fifth of all gains."),
    sharpe_probability: real("0 to 1").maybe("Probabilistic Sharpe ratio against 0; null under three days."),
    calm: real("0 to 1").maybe("1 − largest drawdown / largest capital; null without capital."),
    clv: real("USD per share").maybe("Mean of closing price − price; null without a closing price."),
    breadth: real("events").describe("1 / Σ share² of entries by event."),
    skill_percentile: percentile().describe("Percentile of edge_low in the pool."),
    profit_percentile: percentile().describe("Percentile of capped_pnl."),
    risk_percentile: percentile().describe("Mean of the percentiles of sharpe_probability and calm."),
    timing_percentile: percentile().describe("Percentile of clv."),
    breadth_percentile: percentile().describe("Percentile of breadth."),
    wash_factor: real("0 to 1").describe("Penalty factor for wash patterns."),
    sybil_factor: real("0 to 1").describe("Penalty factor for sybil patterns."),
    farmer_factor: real("0 to 1").describe("Penalty factor for farming."),
    maker_factor: real("0 to 1").describe("Penalty factor for making markets on both sides."),
    reasons: list().describe("As in wallet-score-leaderboard (584)."),
    ...contextFields("date"),
  },
  limit: { default: 50, max: 1000 },
  cost: { base: 3, each: 0.3 },
  order: "date descending, then wallet",
  tables: [walletScores, walletDays],
  venue: "polymarket",
  alsoReads: [walletEntries],
  asOf: "end_date",
  ordered: { from: "start_date", to: "end_date" },
  prepare: async (p, asking, read) => {
    const after = joined([sql`1`, asking.after(order)], sql` AND `);
    const rows = sql`SELECT * FROM ${scoresByDaySql(requestedOf(p))} WHERE ${after} ORDER BY at DESC, wallet LIMIT ${bind("UInt64", asking.rows)} OFFSET ${bind("UInt64", asking.offset)}`;
    return {
      rows: boundsSql(await drawBounds(await read.rows<Drawable>(sql`SELECT ${DRAWABLE} FROM (${rows})`), read)),
    };
  },
  query: (p, { prepared }) => ({
    select: {
      date: sql`at`,
      h_score: sql`score`,
      score_low: sql`low`,
      score_high: sql`high`,
      reasons: reasonsWith(sql`reasons`, sql`is_wide`),
      independent_fills: sql`entries`,
      capped_pnl: sql`capped_pnl_usd`,
      skill_percentile: sql`skill_pct`,
      profit_percentile: sql`profit_pct`,
      risk_percentile: sql`risk_pct`,
      timing_percentile: sql`timing_pct`,
      breadth_percentile: sql`breadth_pct`,
      ...contextSelect,
    },
    from: scoreHistorySql(requestedOf(p), prepared?.["rows"]),
    order,
  }),
  formula: formulaOf("score-history"),
  notes: [
    "Days on which the wallet had under 20 independent fills in the window have no row.",
    "It comes with 584: a key needs access to both.",
  ],
  related: [584, 581],
  guide: "score",
  examples: [{ title: "A wallet's scores", params: { wallet: "<scored_wallet>" } }],
});
