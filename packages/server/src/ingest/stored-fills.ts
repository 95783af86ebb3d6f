import type { Kysely } from "kysely";
import { MAX_UNCONFIRMED, type StoredFills, type UnconfirmedTransaction } from "../definition/known.ts";
import { bind, type Sql, sql } from "../definition/sql.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Store } from "../store/store.ts";
import { findStream } from "./control/save-batch.ts";

/** Rows of an hour on the busiest days. */
const MAX_ROWS = 500_000;
/** Same key as in `data/fill-key`. */
const KEY = sql`concat('0x', lower(hex(tx_hash)), '|0x', lower(hex(wallet)), '|', toString(token_id), '|', toString(side), '|', toString(reinterpretAsInt64(shares)))`;

const TRANSACTION = sql`concat('0x', lower(hex(tx_hash)))`;
const DAY_SECONDS = 86_400;

/** Runs a check's lookups on the records and the store. */
export function createStoredFills(store: Pick<Store, "rows">, db: Kysely<RecordsSchema>): StoredFills {
  const read = async <Row extends Record<string, unknown>>(
    question: Sql,
    from: number,
    to: number,
  ): Promise<readonly Row[]> => {
    const rows = await store.rows<Row>(sql`${question} LIMIT ${bind("UInt32", MAX_ROWS + 1)}`);
    if (rows.length > MAX_ROWS) throw new RangeError(`more than ${MAX_ROWS} rows between ${from} and ${to}`);
    return rows;
  };
  return {
    reachedOf: async (stream) => (await findStream(db, stream))?.reached?.getTime(),
    sinceOf: async (stream) => (await findStream(db, stream))?.since?.getTime(),
    takers: (from, to) => {
      const [first, last] = [bind("UInt32", from), bind("UInt32", to)];
      const question = sql`SELECT toUnixTimestamp(ts) AS seconds, ${KEY} AS key FROM polymarket_fills WHERE ts >= toDateTime(${first}, 'UTC') AND ts <= toDateTime(${last}, 'UTC') AND role = 'taker' AND block_number > 0`;
      return read(question, from, to);
    },
    unconfirmed: (from, to) => {
      const [after, last] = [bind("UInt32", from), bind("UInt32", to)];
      const question = sql`SELECT ${TRANSACTION} AS tx_hash, toUnixTimestamp(min(ts)) AS seconds FROM polymarket_fills WHERE ts > toDateTime(${after}, 'UTC') AND ts <= toDateTime(${last}, 'UTC') AND block_number = 0 GROUP BY tx_hash ORDER BY seconds LIMIT ${bind("UInt32", MAX_UNCONFIRMED)} WITH TIES`;
      return store.rows<UnconfirmedTransaction>(question);
    },
    confirmedAround: async (from, to) => {
      const [first, last] = [bind("UInt32", from), bind("UInt32", to)];
      const chain = sql`SELECT ${TRANSACTION} AS tx FROM polymarket_fills WHERE block_number > 0`;
      const day = sql`toIntervalSecond(${bind("UInt32", DAY_SECONDS)})`;
      const [before, after] = [sql`toDateTime(${first}, 'UTC')`, sql`toDateTime(${last}, 'UTC')`];
      const found = await Promise.all([
        store.rows<{ tx: string }>(
          sql`${chain} AND ts <= ${before} AND ts >= ${before} - ${day} ORDER BY ts DESC LIMIT 1`,
        ),
        store.rows<{ tx: string }>(sql`${chain} AND ts >= ${after} AND ts <= ${after} + ${day} ORDER BY ts LIMIT 1`),
      ]);
      return found.flat().map(({ tx }) => tx);
    },
    legs: async (from, to) => {
      const [first, end] = [bind("UInt32", from), bind("UInt32", to)];
      const question = sql`SELECT ${KEY} AS key FROM polymarket_fills WHERE ts >= toDateTime(${first}, 'UTC') AND ts < toDateTime(${end}, 'UTC')`;
      return (await read<{ key: string }>(question, from, to)).map(({ key }) => key);
    },
    trades: async (from, to) => {
      const [first, end] = [bind("UInt32", from), bind("UInt32", to)];
      const question = sql`SELECT trade_id FROM kalshi_trades WHERE created_time >= toDateTime64(${first}, 6, 'UTC') AND created_time < toDateTime64(${end}, 6, 'UTC')`;
      return (await read<{ trade_id: string }>(question, from, to)).map(({ trade_id }) => trade_id);
    },
  };
}
