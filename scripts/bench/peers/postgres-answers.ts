import pg from "pg";
import { CANDLE_COLUMNS, fieldsOf, KEPT, questionKey } from "./postgres-tables.ts";
import { wordsOf } from "../../../packages/server/src/definition/filter.ts";

type Params = Readonly<Record<string, string>>;
type Row = Record<string, unknown>;
export type Page = { readonly limit: number; readonly offset: number };

/** The rows of a page and, if there are more, one beyond it. */
export type Answerer = (params: Params, page: Page) => Promise<Row[]>;

const ORDER = "ts DESC, tx_hash DESC, order_hash DESC";
const tradesWhere = (where: string): string =>
  `SELECT encode(f.tx_hash, 'hex') AS tx, encode(f.order_hash, 'hex') AS ord, encode(f.wallet, 'hex') AS wallet, f.ts, f.side, f.role, f.shares, f.usd, f.fee_usd, f.block_number, t.token_id, t.condition_id, t.slug, t.outcome FROM (SELECT * FROM fills ${where} ORDER BY ${ORDER} LIMIT $1 OFFSET $2) f JOIN tokens t ON t.id = f.token ORDER BY ${ORDER}`;

const TRADES = {
  all: tradesWhere(""),
  wallet: tradesWhere("WHERE wallet = $3"),
  market: tradesWhere("WHERE market = (SELECT market FROM tokens WHERE condition_id = $3 LIMIT 1)"),
};
const CANDLES = `SELECT c.minute AS candle_time, trade_count, ${CANDLE_COLUMNS.join(", ")}, ask_close - bid_close AS spread, t.token_id, t.condition_id, t.outcome FROM candles c JOIN tokens t ON t.id = c.token WHERE c.token = (SELECT id FROM tokens WHERE token_id = $3) ORDER BY c.minute DESC LIMIT $1 OFFSET $2`;
const DAYS =
  "SELECT to_char(day, 'YYYY-MM-DD\"T00:00:00Z\"') AS date, '0x' || encode(wallet, 'hex') AS proxy_wallet, round(invested, 2) AS invested, round(pnl, 2) AS pnl, fees, trades, wins, losses, CASE WHEN trades > 0 THEN round(least(100, wins * 100.0 / trades), 2) END AS win_rate FROM wallet_days WHERE wallet = $3 ORDER BY day LIMIT $1 OFFSET $2";
const marketsWhere = (where: string): string =>
  `SELECT ${fieldsOf(574)} FROM markets WHERE ${where} ORDER BY volume_total DESC, condition_id LIMIT $1 OFFSET $2`;
const MARKETS = {
  list: marketsWhere("closed = $3 AND volume_total >= $4"),
  slug: marketsWhere("slug = $3"),
  words: marketsWhere("words @@ $3::tsquery"),
};

const bytesOf = (hex: string | undefined): Buffer => Buffer.from((hex ?? "").slice(2), "hex");

/** The peer's query for each dataset used: prepared statements on a pool of ten connections. */
export function openAnswers(url: string): ReadonlyMap<number, Answerer> {
  const pool = new pg.Pool({ connectionString: url, max: 10, idleTimeoutMillis: 0 });
  const { INT8, TIMESTAMPTZ } = pg.types.builtins;
  pg.types.setTypeParser(INT8, Number);
  pg.types.setTypeParser(TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`);
  const rowsOf = async (name: string, text: string, page: Page, values: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await pool.query<Row>({ name, text, values: [page.limit + 1, page.offset, ...values] });
    return rows;
  };

  const trades: Answerer = async ({ proxy_wallet, condition_id }, page) => {
    if (proxy_wallet !== undefined) {
      const rows = await rowsOf("trades_wallet", TRADES.wallet, page, [bytesOf(proxy_wallet)]);
      return rows.map(toTrade);
    }
    const isOfMarket = condition_id !== undefined;
    const rows = isOfMarket
      ? await rowsOf("trades_market", TRADES.market, page, [condition_id])
      : await rowsOf("trades", TRADES.all, page, []);
    return rows.map(toTrade);
  };
  const candles: Answerer = ({ token_id }, page) => rowsOf("candles", CANDLES, page, [token_id]);
  const days: Answerer = ({ wallet }, page) => rowsOf("days", DAYS, page, [bytesOf(wallet)]);
  const markets: Answerer = async ({ market_slug, closed, min_volume }, page) => {
    if (market_slug === undefined) {
      return rowsOf("markets", MARKETS.list, page, [closed === "True", Number(min_volume ?? 0)]);
    }
    const exact = await rowsOf("markets_slug", MARKETS.slug, page, [market_slug]);
    if (exact.length > 0) return exact;
    const query = wordsOf(market_slug)
      .map((word) => `'${word}':*`)
      .join(" & ");
    return rowsOf("markets_words", MARKETS.words, page, [query]);
  };
  const kept = (agentId: number): [number, Answerer] => {
    const text = `SELECT ${fieldsOf(agentId)} FROM kept_${agentId} WHERE question = $3 ORDER BY place LIMIT $1 OFFSET $2`;
    return [agentId, (params, page) => rowsOf(`kept_${agentId}`, text, page, [questionKey(params)])];
  };
  return new Map([[556, trades], [568, candles], [569, days], [574, markets], ...KEPT.map(kept)]);
}

const MICRO = 1_000_000;

function toTrade(row: Row): Row {
  const transaction_hash = `0x${String(row["tx"])}`;
  const order_hash = `0x${String(row["ord"])}`;
  const [shares, usd] = [Number(row["shares"]), Number(row["usd"])];
  return {
    id: `${transaction_hash}_${order_hash}`,
    condition_id: row["condition_id"],
    slug: row["slug"],
    outcome: row["outcome"],
    side: row["side"],
    price: shares === 0 ? 0 : usd / shares,
    size: shares / MICRO,
    proxy_wallet: `0x${String(row["wallet"])}`,
    timestamp: row["ts"],
    token_id: row["token_id"],
    transaction_hash,
    order_hash,
    usd: usd / MICRO,
    fee_usd: Number(row["fee_usd"]) / MICRO,
    role: row["role"],
    block_number: row["block_number"],
  };
}
