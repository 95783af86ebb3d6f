/** Payments of a venue to a wallet other than from trades; in upper case these are the Data API's activity types. */
export const INCOME_KINDS = ["reward", "maker_rebate", "taker_rebate", "referral_reward", "yield"] as const;
