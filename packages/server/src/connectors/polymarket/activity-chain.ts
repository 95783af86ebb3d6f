import { definePull } from "../../definition/connector.ts";
import { polymarketNegRiskQuestions } from "../../tables/polymarket-neg-risk-questions.ts";
import { polymarketPositionChanges } from "../../tables/polymarket-position-changes.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { polymarketTransfers } from "../../tables/polymarket-transfers.ts";
import { activityLogs } from "./chain/activity-topics.ts";
import { toActivity } from "./activity/to-activity.ts";
import { tokenFinder } from "./activity/token-finder.ts";
import { pullChain } from "./chain/pull-chain.ts";
import { polygonHost } from "./hosts.ts";

/** ConditionalTokens was deployed here (reference/polymarket.md §8.1). */
const CONDITIONAL_TOKENS_BLOCK = 4_023_686;

const tables = [polymarketPositionChanges, polymarketTransfers, polymarketResolutions, polymarketNegRiskQuestions];
const tokensOf = tokenFinder();

/**
 * Changes to outcome tokens outside the book, from the logs of ConditionalTokens and the NegRiskAdapter. Transfers are
 * read in the same call as the events: a redemption does not state the amount burnt and a collateral adapter does not
 * state for whom it acted, but the transfers of the transaction do.
 */
export const polymarketActivityChainStream = definePull({
  name: "polymarket-activity-chain",
  title: "Polymarket's splits, merges, conversions, redemptions, resolutions and transfers from Polygon",
  venue: "polymarket",
  host: polygonHost,
  tables,
  everySeconds: 4,
  canBackfill: true,
  needs: {
    settings: ["POLYGON_RPC_URL"],
    adds: "splits, merges, conversions, redemptions, resolutions and transfers between wallets, without which profit cannot be exact",
  },
  pull: pullChain({
    tables,
    firstBlock: CONDITIONAL_TOKENS_BLOCK,
    logs: activityLogs,
    toRows: (logs, secondsOf) => toActivity(logs, secondsOf, tokensOf),
  }),
});
