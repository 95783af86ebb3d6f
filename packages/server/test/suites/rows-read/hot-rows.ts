/** SQL expressions by column over the row number. Columns not named have the engine's default. */
type HotRows = { readonly rows: number; readonly columns: Readonly<Record<string, string>> };

const DAYS = 30;
/** The end of the range of days that rows cover. */
export const END = "2026-11-20 00:00:00";
/** The time at which all rows were stored. */
const STORED = "toDateTime64('2026-11-19 12:00:00', 6, 'UTC')";
export const WHEN_STORED = { ingested_at: STORED, version: `toUnixTimestamp64Micro(${STORED})` };

/** Every eighth row has the first key; the others are spread over `keys` more. */
const spread = (keys: number, salt: number): string =>
  `if(number % 8 = 0, 0, 1 + cityHash64(number, ${salt}) % ${keys})`;
const hexText = (value: string, digits: number): string => `leftPad(lower(hex(toUInt64(${value}))), ${digits}, '0')`;
const bytes = (value: string, length: number): string =>
  `toFixedString(unhex(${hexText(value, 2 * length)}), ${length})`;
const wallet = (value: string): string => bytes(value, 20);
const hash = (value: string): string => bytes(value, 32);
const seconds = (rows: number): string =>
  `(toDateTime('${END}', 'UTC') - ${DAYS * 86_400} + intDiv(number * ${DAYS * 86_400}, ${rows}))`;
const millis = (rows: number): string => `toDateTime64(${seconds(rows)}, 3, 'UTC')`;
const day = (days: string): string => `(toDate('${END.slice(0, 10)}') - ${DAYS} + ${days})`;
const ticker = (value: string): string => `concat('KX-', toString(${value}))`;

const TOKENS = 2_000;
const WALLETS = 2_000;
const token = spread(TOKENS, 1);
const someWallet = spread(WALLETS, 2);
/** One row per day and wallet. */
const daily = { day: day(`number % ${DAYS}`), wallet: wallet(`intDiv(number, ${DAYS})`) };
const onChain = (rows: number) => ({ ts: seconds(rows), tx_hash: hash("number + 1"), log_index: "number % 100" });

const MARKETS = 20_000;
const [FILLS, CHANGES, MINUTES, POSTS] = [300_000, 150_000, 250_000, 150_000];

export const HOT_ROWS: Readonly<Record<string, HotRows>> = {
  polymarket_tokens: {
    rows: 2 * MARKETS,
    columns: {
      token_id: "number",
      condition_id: hash("intDiv(number, 2)"),
      outcome_index: "number % 2",
      outcome: "if(number % 2 = 0, 'Yes', 'No')",
      slug: "concat('market-', toString(intDiv(number, 2)))",
    },
  },
  polymarket_markets: {
    rows: MARKETS,
    columns: {
      condition_id: hash("number"),
      question: "concat('Will it rain on day ', toString(number), '?')",
      slug: "concat('market-', toString(number))",
      event_slug: "concat('event-', toString(intDiv(number, 10)))",
      closed: "number % 2",
      active: "1",
      closed_date: `if(number % 2 = 1, toDateTime('${END}', 'UTC') - number * 600, NULL)`,
      end_date: `toDateTime('${END}', 'UTC') - number * 600`,
      volume_total: "cityHash64(number) % 1000000",
      side_a_token_id: "2 * number",
      side_b_token_id: "2 * number + 1",
      category: "'Weather / Rain'",
      tags: "['Weather']",
    },
  },
  polymarket_tags: {
    rows: 5_000,
    columns: {
      tag_id: "toString(number)",
      label: "concat('Tag ', toString(number))",
      slug: "concat('tag-', toString(number))",
    },
  },
  market_snapshots: {
    rows: MARKETS,
    columns: { condition_id: hash("number"), volume_24h: "cityHash64(number) % 1000000", market_active: "1" },
  },
  kalshi_markets: {
    rows: MARKETS,
    columns: {
      ticker: ticker("number"),
      event_ticker: "concat('KXEVENT-', toString(intDiv(number, 10)))",
      title: "concat('Will it rain on day ', toString(number), '?')",
      status: "'active'",
      volume: "cityHash64(number) % 1000000",
    },
  },
  polymarket_fills: {
    rows: FILLS,
    columns: {
      ts: seconds(FILLS),
      tx_hash: hash("intDiv(number, 2)"),
      order_hash: hash("number + 1"),
      wallet: wallet(someWallet),
      token_id: token,
      side: "if(number % 2 = 0, 'BUY', 'SELL')",
      role: "if(number % 2 = 0, 'maker', 'taker')",
      shares: "1 + number % 100",
      usd: "1",
      block_number: "1000 + number",
      source: "'chain_v2'",
    },
  },
  polymarket_position_changes: {
    rows: CHANGES,
    columns: {
      ...onChain(CHANGES),
      kind: "if(number % 2 = 0, 'split', 'redemption')",
      wallet: wallet(someWallet),
      condition_id: hash(spread(TOKENS / 2, 3)),
      amount: "1",
    },
  },
  polymarket_transfers: {
    rows: CHANGES,
    columns: {
      ...onChain(CHANGES),
      from_wallet: wallet(someWallet),
      to_wallet: wallet(spread(WALLETS, 4)),
      token_id: token,
      shares: "1",
    },
  },
  polymarket_resolutions: {
    rows: CHANGES,
    columns: {
      ...onChain(CHANGES),
      condition_id: hash("1000 + number"),
      payouts: "[1, 0]",
      payout_numerators: "[1, 0]",
    },
  },
  polymarket_income: {
    rows: CHANGES,
    columns: { wallet: wallet(someWallet), ts: seconds(CHANGES), tx_hash: hash("number"), amount_usd: "1" },
  },
  polymarket_prints: {
    rows: FILLS,
    columns: { token_id: token, ts: millis(FILLS), seq: "number % 10", side: "'BUY'", price: "0.5", shares: "1" },
  },
  polymarket_candles_1m: {
    rows: MINUTES,
    columns: {
      token_id: token,
      minute: `toStartOfMinute(${seconds(MINUTES)})`,
      open: "0.5",
      high: "0.5",
      low: "0.5",
      close: "0.5",
      volume: "1",
      trade_count: "1",
    },
  },
  book_quotes_1m: {
    rows: MINUTES,
    columns: { instrument: `toString(${token})`, minute: `toStartOfMinute(${seconds(MINUTES)})`, bid_close: "0.4" },
  },
  book_events: {
    rows: MINUTES,
    columns: {
      instrument: `if(number % 16 < 8, toString(${token}), ${ticker(token)})`,
      ts: millis(MINUTES),
      seq: "number % 10",
      kind: "if(cityHash64(number, 5) % 50 = 0, 'snapshot', 'change')",
      bids: "[(0.4, 1 + number % 9)]",
      asks: "[(0.6, 1 + number % 9)]",
    },
  },
  kalshi_trades: {
    rows: FILLS,
    columns: {
      created_time: `toDateTime64(${seconds(FILLS)}, 6, 'UTC')`,
      trade_id: "leftPad(toString(number), 12, '0')",
      ticker: ticker(token),
      count: "1",
      yes_price: "0.5",
    },
  },
  kalshi_candles: {
    rows: MINUTES,
    columns: {
      ticker: ticker(token),
      period_minutes: "1",
      end_time: `toStartOfMinute(${seconds(MINUTES)})`,
      close: "0.5",
      volume: "1",
    },
  },
  price_changes: {
    rows: FILLS,
    columns: {
      resolution: "1 + cityHash64(number, 9) % 6",
      bucket: `toStartOfMinute(${seconds(FILLS)})`,
      token_id: token,
      close: "if(cityHash64(number, 10) % 100 < 6, 0.5, 0.408)",
      previous_close: "0.4",
      change_pct: "if(cityHash64(number, 10) % 100 < 6, 25, 2)",
      is_peak: "cityHash64(number, 10) % 100 < 6",
      jump_at: `toStartOfMinute(${seconds(FILLS)})`,
      jump_before: "0.4",
      jump_after: "0.5",
      p_value: "0.001",
      statistic: "5",
      window_buckets: "100",
    },
  },
  wallet_days: {
    rows: FILLS,
    columns: { ...daily, buys: "4", bought_usd: "5", realized_usd: `intDiv(number, ${DAYS}) % 1000`, wins: "1" },
  },
  wallet_token_days: {
    rows: FILLS,
    columns: { ...daily, token_id: token, shares: "1", shares_bought: "1", bought_usd: "0.5", buys: "1" },
  },
  token_days: {
    rows: TOKENS * DAYS,
    columns: { day: day(`number % ${DAYS}`), token_id: `intDiv(number, ${DAYS})`, mark: "0.5" },
  },
  wallet_entries: {
    rows: FILLS,
    columns: { ...daily, token_id: token, shares: "1", bought_usd: "0.5", entries: "1", category: "'Weather'" },
  },
  wallet_scores: {
    rows: FILLS,
    columns: { ...daily, score: "cityHash64(number) % 100", pool: String(FILLS / DAYS), entries: "30", events: "20" },
  },
  wallet_patterns: {
    rows: CHANGES,
    columns: { ...daily, pattern: "'wash'", score: "0.5", cluster: wallet("number % 100"), cluster_size: "2" },
  },
  calibration_prices: {
    rows: CHANGES,
    columns: {
      day: day(`number % ${DAYS}`),
      venue: "if(number % 2 = 0, 'polymarket', 'kalshi')",
      market: "toString(number)",
      horizon_hours: "[1, 24, 168][1 + number % 3]",
      price: "(number % 100) / 100",
      payout: "number % 2",
    },
  },
  social_posts: {
    rows: POSTS,
    columns: {
      source: "'bluesky'",
      id: "concat('post-', toString(number))",
      ts: millis(POSTS),
      created_on: millis(POSTS),
      author: `concat('author-', toString(${spread(5_000, 6)}))`,
      body: "concat(if(number % 200 = 0, 'hockey tonight ', 'some words '), toString(number))",
      lang: "'en'",
    },
  },
  social_mentions: {
    rows: POSTS,
    columns: {
      condition_id: hash(spread(TOKENS / 2, 7)),
      ts: millis(POSTS),
      source: "'bluesky'",
      post_id: "concat('post-', toString(number))",
    },
  },
  social_reactions: {
    rows: FILLS,
    columns: {
      source: "'bluesky'",
      post_id: `concat('post-', toString(cityHash64(number, 8) % ${POSTS}))`,
      kind: "'like'",
      ts: millis(FILLS),
      id: "concat('like-', toString(number))",
    },
  },
  social_removals: {
    rows: MARKETS,
    columns: {
      source: "'bluesky'",
      what: "'record'",
      id: "concat('gone-', toString(number))",
      ts: millis(MARKETS),
      reason: "'deleted'",
    },
  },
  // Removals are carried out up to this time.
  social_erasures: { rows: 1, columns: { through: STORED } },
};
