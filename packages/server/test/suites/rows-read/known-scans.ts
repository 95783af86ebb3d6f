/**
 * Statements that read more than they return: the questions they belong to, the text that identifies them, and the
 * largest share they read of the rows of the tables they name, each counted as often as named.
 */
export type KnownScan = {
  readonly questions: readonly string[];
  readonly says: string;
  readonly share: number;
  readonly why: string;
};

export const KNOWN_SCANS: readonly KnownScan[] = [
  {
    questions: ["556 newest", "1004 a token", "1006 wallets"],
    says: "SELECT toString(max(version)) AS newest FROM",
    share: 1,
    why: "Once per process and table: rows stamped ahead by a clock that was set back belong to a walk's snapshot.",
  },
  {
    questions: ["556 a busy condition"],
    says: "FROM polymarket_fills_by_token",
    share: 0.13,
    why: "All fills of the market's tokens: which these are is not known when the parts of the statement are chosen.",
  },
  {
    questions: ["556 a deep offset"],
    says: "FROM polymarket_fills",
    share: 0.22,
    why: "The rows of an offset are walked past; a cursor has none.",
  },
  {
    questions: ["1106 a busy key"],
    says: "polymarket_transfers_by_receiver",
    share: 0.08,
    why: "Sent and received are two orders, of which one is read whole by its key.",
  },
  {
    questions: ["1103 a busy key"],
    says: "FROM polymarket_prints",
    share: 0.14,
    why: "The token stands amid the order, after the moment: the engine sorts all of its prints.",
  },
  {
    questions: ["572 a busy key", "1102 a busy key"],
    says: "LIMIT 1 BY ts LIMIT",
    share: 0.06,
    why: "How many events a millisecond has cannot be told before: they are read in whole blocks, moment and place alone.",
  },
  {
    questions: ["573 an event"],
    says: "FROM kalshi_trades_by_ticker",
    share: 0.23,
    why: "All trades of the event's markets, as of a Polymarket market's tokens.",
  },
  {
    questions: ["568 a busy key", "568 days of a busy token"],
    says: "FROM polymarket_candles_1m",
    share: 0.13,
    why: "Candles are made of all minutes of the token, of which the newest cannot be told before.",
  },
  {
    questions: ["1101 a busy key", "1101 an hour without gaps"],
    says: "FROM kalshi_candles FINAL",
    share: 0.14,
    why: "What is read FINAL is not read from its end.",
  },
  {
    questions: ["1101 days of a busy market"],
    says: "FROM kalshi_candles FINAL",
    share: 0.14,
    why: "A day is made of its 1,440 minutes.",
  },
  {
    questions: [
      "574 largest",
      "574 largest open",
      "574 a market",
      "574 markets",
      "574 a slug",
      "574 words",
      "574 an event",
      "565 largest",
      "565 a market",
      "565 an event",
      "565 words",
      "575 most traded",
      "575 a market",
      "575 markets",
      "575 a filter",
    ],
    says: "max(version)) AS snapshot",
    share: 1,
    why: "A walk begins at the newest version, which no index tells: one column of the catalogue.",
  },
  {
    questions: ["574 largest", "574 largest open", "574 an event", "565 largest", "565 an event"],
    says: "ORDER BY volume",
    share: 1,
    why: "Catalogues are in no order but that of their ids; a service has them as lists.",
  },
  {
    questions: ["575 most traded", "575 a filter"],
    says: "ORDER BY volume_24h",
    share: 1,
    why: "The same.",
  },
  {
    questions: ["574 words", "565 words"],
    says: "UNION ALL",
    share: 0.55,
    why: "A page after the first is of the catalogue of a moment, in which words are looked for row by row.",
  },
  {
    questions: ["581 a wallet as of a day"],
    says: "FROM wallet_scores FINAL",
    share: 0.08,
    why: "Whether a day's pool is written whole is told by counting it.",
  },
  {
    questions: ["1004 a busy token"],
    says: "FROM wallet_token_days_by_token",
    share: 0.11,
    why: "The largest holders are found among all that ever held the token.",
  },
  {
    questions: ["579 first making of all time"],
    says: "FROM wallet_days_by_wallet",
    share: 1,
    why: "A board of all time is made of all days, once.",
  },
  {
    questions: ["1005 all markets"],
    says: "FROM calibration_prices",
    share: 1,
    why: "Reliability is of all forecasts.",
  },
];
