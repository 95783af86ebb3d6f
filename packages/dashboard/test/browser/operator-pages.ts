/** The pages of the operator, each with a text that it shows. */
export const OPERATOR_PAGES = [
  ["/operator/streams", "polymarket-trades"],
  ["/operator/store", "polymarket_fills"],
  ["/operator/parked", ""],
  ["/operator/accounts", "admin@almanac.invalid"],
  ["/operator/plans", "enterprise"],
] as const;
