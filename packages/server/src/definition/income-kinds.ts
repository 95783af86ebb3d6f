/** What a venue pays a wallet beside its trades; upper case it is the Data API's type of an activity. */
export const INCOME_KINDS = ["reward", "maker_rebate", "taker_rebate", "referral_reward", "yield"] as const;
