/** Lengths of an equity candle, as dataset 1003 names them: a month is 1M, as 1m would be a minute. */
export const GRAINS = [
  { value: "1d", label: "Days" },
  { value: "1w", label: "Weeks" },
  { value: "1M", label: "Months" },
] as const;
