import pg from "pg";
import { datasets } from "../../../packages/server/src/catalogue.ts";
import { parseParams } from "../../../packages/server/src/query/parse-params.ts";
import { openQuery } from "../../../packages/server/src/query/open-query.ts";
import { compose } from "../../../packages/server/src/query/compose.ts";
import { bind, sql, type Sql } from "../../../packages/server/src/definition/sql.ts";
import type { Store } from "../../../packages/server/src/store/store.ts";
import type { Requested } from "./mixes.ts";
import { CANDLE_COLUMNS, datasetOf, INDEXES, questionKey, TABLES, TOKEN_INDEXES } from "./postgres-tables.ts";

const BOUNDS = { max_execution_time: 600, max_result_bytes: 2_000_000_000 };
const ALL_ROWS = 1_000_000;

/** Rows of a day, and the PostgreSQL statement that inserts them: it sees them as `r`. */
type Copied = { readonly of: (day: string) => Sql; readonly into: string };

const micro = "toInt64(toDecimal128(%, 6) * 1000000) AS %";
const inMicros = (column: string): string => micro.replaceAll("%", column);
const fixed = (text: string): Sql => ({ kind: "sql", text, values: [] });

const FILLS: Copied = {
  of: (day) =>
    sql`SELECT ts, nullIf(block_number, 0) AS block_number, ${fixed(["shares", "usd", "fee_usd"].map(inMicros).join(", "))}, toString(token_id) AS token, hex(wallet) AS wallet, hex(tx_hash) AS tx_hash, hex(order_hash) AS order_hash, side, role FROM polymarket_fills WHERE toDate(ts, 'UTC') = toDate(${bind("String", day)}) ORDER BY ts, tx_hash, order_hash`,
  into: "INSERT INTO fills SELECT r.ts, r.block_number, r.shares, r.usd, r.fee_usd, t.id, t.market, decode(r.wallet, 'hex'), decode(r.tx_hash, 'hex'), decode(r.order_hash, 'hex'), r.side, r.role FROM json_to_recordset($1::json) AS r(ts timestamptz, block_number bigint, shares bigint, usd bigint, fee_usd bigint, token text, wallet text, tx_hash text, order_hash text, side text, role text) JOIN tokens t ON t.token_id = r.token",
};

const QUOTES = CANDLE_COLUMNS.filter((one) => one.startsWith("bid_") || one.startsWith("ask_"));
const CANDLES: Copied = {
  of: (day) =>
    sql`SELECT * FROM (SELECT toString(token_id) AS token, minute, trade_count, open, high, low, close, round(toDecimal128(price_sum, 12) / nullIf(trade_count, 0), 6) AS mean, round(toDecimal128(volume_usd, 12) / nullIf(volume, 0), 6) AS vwap, volume, volume_usd FROM polymarket_candles_1m FINAL WHERE toDate(minute, 'UTC') = toDate(${bind("String", day)})) AS c LEFT JOIN (SELECT instrument AS token, minute, ${fixed(QUOTES.join(", "))} FROM book_quotes_1m FINAL WHERE toDate(minute, 'UTC') = toDate(${bind("String", day)})) AS q USING (token, minute)`,
  into: `INSERT INTO candles (token, minute, trade_count, ${CANDLE_COLUMNS.join(", ")}) SELECT t.id, r.minute, coalesce(r.trade_count, 0), ${CANDLE_COLUMNS.map((one) => (one.startsWith("volume") ? `coalesce(r.${one}, 0)` : `r.${one}`)).join(", ")} FROM json_to_recordset($1::json) AS r(token text, minute timestamptz, trade_count bigint, ${CANDLE_COLUMNS.map((one) => `${one} numeric`).join(", ")}) JOIN tokens t ON t.token_id = r.token`,
};

const WALLET_DAYS: Copied = {
  of: (day) =>
    sql`SELECT hex(wallet) AS wallet, day, buys + sells AS trades, wins, losses, bought_usd AS invested, realized_usd - fee_usd AS pnl, fee_usd AS fees FROM wallet_days FINAL WHERE day = toDate(${bind("String", day)}) AND NOT is_gone AND buys + sells + other_events > 0`,
  into: "INSERT INTO wallet_days SELECT decode(wallet, 'hex'), day, trades, wins, losses, invested, pnl, fees FROM json_to_recordset($1::json) AS r(wallet text, day date, trades bigint, wins bigint, losses bigint, invested numeric, pnl numeric, fees numeric)",
};

const TOKENS = sql`SELECT toString(token_id) AS token_id, dense_rank() OVER (ORDER BY condition_id) AS market, concat('0x', lower(hex(condition_id))) AS condition_id, outcome, slug FROM polymarket_tokens FINAL`;
const INTO_TOKENS =
  "INSERT INTO tokens (market, token_id, condition_id, outcome, slug) SELECT market, token_id, condition_id, outcome, slug FROM json_to_recordset($1::json) AS r(market int, token_id text, condition_id text, outcome text, slug text)";
const WORDS = sql`SELECT concat('0x', lower(hex(condition_id))) AS id, arrayFilter(one -> one != '', splitByChar(' ', search)) AS words FROM polymarket_markets FINAL`;
const INTO_WORDS =
  "UPDATE markets SET words = array_to_tsvector(ARRAY(SELECT json_array_elements_text(r.words))) FROM json_to_recordset($1::json) AS r(id text, words json) WHERE r.id = condition_id";

/** Fills the peer's tables from the rows of our store; precomputes the answers of `kept`, as a nightly job would. */
export async function fillPostgres(store: Store, url: string, kept: readonly Requested[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const linesOf = async (rows: Sql): Promise<string> =>
    (await store.read(rows, { format: "JSONEachRow", settings: BOUNDS })).toString("utf8").trim();
  const copy = async (rows: Sql | string, into: string, more: readonly string[] = []): Promise<void> => {
    const lines = typeof rows === "string" ? rows : await linesOf(rows);
    if (lines !== "") await client.query(into, [`[${lines.replaceAll("\n", ",")}]`, ...more]);
  };
  try {
    await client.query("SET synchronous_commit = off");
    // Drop what an interrupted fill left behind.
    for (const one of ["DROP SCHEMA public CASCADE", "CREATE SCHEMA public", ...TABLES]) await client.query(one);
    await copy(TOKENS, INTO_TOKENS);
    for (const one of [...TOKEN_INDEXES, "ANALYZE tokens"]) await client.query(one);
    for (const day of await daysOf(store)) {
      for (const one of [FILLS, CANDLES, WALLET_DAYS]) await copy(one.of(day), one.into);
    }
    await copy(
      answerOf(574, {}),
      "INSERT INTO markets SELECT (json_populate_record(null::markets, jsonb_set(one::jsonb, '{words}', '\"\"')::json)).* FROM json_array_elements($1::json) AS one",
    );
    await copy(WORDS, INTO_WORDS);
    for (const question of kept) {
      const { agentId, params } = question;
      const rows = datasetOf(agentId).query ? answerOf(agentId, params) : await pageOf(store, question);
      const into = `INSERT INTO kept_${agentId} SELECT (json_populate_record(null::kept_${agentId}, (one::jsonb || jsonb_build_object('question', $2::text, 'place', place))::json)).* FROM json_array_elements($1::json) WITH ORDINALITY AS all_rows(one, place)`;
      await copy(rows, into, [questionKey(params)]);
    }
    for (const one of [...INDEXES, "VACUUM (FULL) markets", "VACUUM (ANALYZE)", "CHECKPOINT"]) await client.query(one);
  } finally {
    await client.end();
  }
}

/** All rows that our dataset returns. */
function answerOf(agentId: number, params: Requested["params"]): Sql {
  const dataset = datasetOf(agentId);
  const { given } = parseParams(dataset, params, "reject");
  const now = bind("Int64", String(Date.now() * 1000));
  return compose(dataset, given, { rows: ALL_ROWS, offset: 0, format: "raw", now }).statement;
}

/** The page of a dataset that has no SQL statement, plus one row that shows that there are more; one row a line. */
async function pageOf(store: Store, { agentId, params, limit }: Requested): Promise<string> {
  const coverage = { complete: true, from: null, to: null, gaps: [], reasons: [] };
  const ask = openQuery({
    store,
    catalogue: datasets,
    coverageOf: async () => coverage,
    secret: Buffer.from("bench"),
    paramsUnknown: "reject",
    now: Date.now,
  });
  const pagination = { limit: limit + 1 };
  const body = { agent_id: agentId, params, pagination, formatter_config: { format_type: "ndjson" } };
  const anyone = { mayRead: () => true, maxPage: limit + 1, mode: "strict" } as const;
  return (await ask(body, anyone, undefined)).body.toString("utf8").trim();
}

async function daysOf(store: Store): Promise<string[]> {
  const rows = await store.rows<{ day: string }>(
    sql`SELECT DISTINCT toString(day) AS day FROM (SELECT toDate(ts, 'UTC') AS day FROM polymarket_fills UNION ALL SELECT toDate(minute, 'UTC') FROM book_quotes_1m UNION ALL SELECT day FROM wallet_days) ORDER BY day`,
    { settings: BOUNDS },
  );
  return rows.map(({ day }) => day);
}
