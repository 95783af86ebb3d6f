import { datasets } from "../../../packages/server/src/catalogue.ts";
import type { Column } from "../../../packages/server/src/definition/column.ts";
import type { DatasetDefinition } from "../../../packages/server/src/definition/dataset.ts";

/** Datasets whose complete answers the peer keeps as rows, keyed by query. */
export const KEPT = [579, 581, 584] as const;

export function datasetOf(agentId: number): DatasetDefinition {
  const found = datasets.find((one) => one.agentId === agentId);
  if (!found) throw new Error(`no dataset ${agentId}`);
  return found;
}

/** The SQL type of a field. Timestamps that are only displayed are texts: that is cheapest for PostgreSQL. */
function typeOf({ wire }: Column): string {
  const places = /^dec\((\d+)\)$/.exec(wire)?.[1];
  if (places !== undefined) return `numeric(38,${places})`;
  const types: Readonly<Record<string, string>> = { flag: "boolean", int: "bigint", num: "float8", list: "jsonb" };
  return types[wire] ?? "text";
}

/** A dataset's fields as columns. */
const columnsOf = (agentId: number): string =>
  Object.entries(datasetOf(agentId).row)
    .map(([field, column]) => `${field} ${typeOf(column)}`)
    .join(", ");

/** A dataset's fields as a SELECT list. */
export const fieldsOf = (agentId: number): string => Object.keys(datasetOf(agentId).row).join(", ");

const PRICES = ["open", "high", "low", "close", "mean", "vwap"];
const QUOTES = ["bid", "ask"].flatMap((side) => ["open", "high", "low", "close"].map((one) => `${side}_${one}`));
/** Columns of a candle in addition to its token and minute; quotients are stored already divided. */
export const CANDLE_COLUMNS: readonly string[] = [...PRICES, "volume", "volume_usd", ...QUOTES];

const candles = CANDLE_COLUMNS.map((one) => `${one} numeric(38,6)`).join(", ");

/** Tables designed for these queries: bytes as bytes, a row's token and market as numbers, money exact. */
export const TABLES: readonly string[] = [
  "CREATE TABLE tokens (id serial PRIMARY KEY, market int NOT NULL, token_id text NOT NULL, condition_id text NOT NULL, outcome text NOT NULL, slug text NOT NULL)",
  "CREATE TABLE fills (ts timestamptz(0) NOT NULL, block_number bigint, shares bigint NOT NULL, usd bigint NOT NULL, fee_usd bigint NOT NULL, token int NOT NULL, market int NOT NULL, wallet bytea NOT NULL, tx_hash bytea NOT NULL, order_hash bytea NOT NULL, side text NOT NULL, role text NOT NULL)",
  `CREATE TABLE candles (token int NOT NULL, minute timestamptz(0) NOT NULL, trade_count bigint NOT NULL, ${candles})`,
  "CREATE TABLE wallet_days (wallet bytea NOT NULL, day date NOT NULL, trades bigint NOT NULL, wins bigint NOT NULL, losses bigint NOT NULL, invested numeric(38,6) NOT NULL, pnl numeric(38,6) NOT NULL, fees numeric(38,6) NOT NULL)",
  `CREATE TABLE markets (words tsvector NOT NULL, ${columnsOf(574)})`,
  ...KEPT.map((id) => `CREATE TABLE kept_${id} (question text NOT NULL, place int NOT NULL, ${columnsOf(id)})`),
];

/** Indexes on tokens, created before other tables are filled through them. */
export const TOKEN_INDEXES: readonly string[] = [
  "CREATE UNIQUE INDEX ON tokens (token_id)",
  "CREATE INDEX ON tokens (condition_id)",
];

/** One B-tree per query, in its order; ties within a second are sorted on read (incremental sort). */
export const INDEXES: readonly string[] = [
  "CREATE INDEX ON fills (ts DESC)",
  "CREATE INDEX ON fills (wallet, ts DESC)",
  "CREATE INDEX ON fills (market, ts DESC)",
  "ALTER TABLE candles ADD PRIMARY KEY (token, minute)",
  "ALTER TABLE wallet_days ADD PRIMARY KEY (wallet, day)",
  "ALTER TABLE markets ADD PRIMARY KEY (condition_id)",
  "CREATE INDEX ON markets (slug)",
  "CREATE INDEX ON markets (closed, volume_total DESC, condition_id)",
  "CREATE INDEX ON markets USING gin (words)",
  ...KEPT.map((id) => `ALTER TABLE kept_${id} ADD PRIMARY KEY (question, place)`),
];

/** Key of a kept answer: the parameters ordered by name. */
export const questionKey = (params: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
