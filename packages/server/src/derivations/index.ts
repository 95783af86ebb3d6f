import type { DaysDerivation } from "../definition/day-derivation.ts";
import type { Derivation } from "../definition/derivation.ts";
import type { Fold } from "../definition/fold.ts";
import type { Refresh } from "../definition/regular-jobs.ts";
import { bookQuotesFromEvents } from "./book-quotes.ts";
import { calibrationPricesFromResolutions } from "./calibration/calibration-prices.ts";
import { coarsePriceChangesFromMinutes, priceChangesFromMinutes } from "./price-changes.ts";
import { marketSnapshotsRefresh } from "./market/refresh-markets.ts";
import { walletPairDaysFromFills } from "./patterns/wallet-pair-days.ts";
import { walletPatternsFromEvidence } from "./patterns/wallet-patterns.ts";
import { walletTradeDaysFromFills } from "./patterns/wallet-trade-days.ts";
import { polymarketCandlesFromFills } from "./polymarket-candles.ts";
import { socialMentionsFromPosts } from "./social-mentions.ts";
import { tokenDaysFromMinutes } from "./token-days.ts";
import { tokenHoursFromFills } from "./token-hours.ts";
import { walletEntriesFromFills } from "./wallet-entries.ts";
import { walletFold } from "./wallet-fold.ts";
import { walletScoresFromEntries } from "./wallet-scores.ts";

export const derivations: readonly Derivation[] = [
  bookQuotesFromEvents,
  coarsePriceChangesFromMinutes,
  polymarketCandlesFromFills,
  priceChangesFromMinutes,
  socialMentionsFromPosts,
  tokenDaysFromMinutes,
  tokenHoursFromFills,
];

export const dayDerivations: readonly DaysDerivation[] = [
  calibrationPricesFromResolutions,
  walletPairDaysFromFills,
  walletPatternsFromEvidence,
  walletTradeDaysFromFills,
  walletEntriesFromFills,
  walletScoresFromEntries,
];

export const folds: readonly Fold[] = [walletFold];

export const refreshes: readonly Refresh[] = [marketSnapshotsRefresh];
