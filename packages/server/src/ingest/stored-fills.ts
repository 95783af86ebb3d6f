import type { Kysely } from "kysely";
import type { StoredFills } from "../definition/connector.ts";
import { bind, sql } from "../definition/sql.ts";
import type { RecordsSchema } from "../records/schema.ts";
import type { Store } from "../store/store.ts";
import { findStream } from "./control/stream-record.ts";

/** An hour of the busiest days. */
const MOST_FILLS = 500_000;

/** Answers a check from the records and the store. */
export function createStoredFills(store: Pick<Store, "rows">, db: Kysely<RecordsSchema>): StoredFills {
  return {
    reachedOf: async (stream) => (await findStream(db, stream))?.reached?.getTime(),
    takers: async (from, to) => {
      const [first, last] = [bind("UInt32", from), bind("UInt32", to)];
      const rows = await store.rows<{ seconds: number; key: string }>(
        sql`SELECT toUnixTimestamp(ts) AS seconds, concat('0x', lower(hex(tx_hash)), '|0x', lower(hex(wallet)), '|', toString(token_id), '|', toString(side), '|', toString(reinterpretAsInt64(shares))) AS key FROM polymarket_fills WHERE ts >= toDateTime(${first}, 'UTC') AND ts <= toDateTime(${last}, 'UTC') AND role = 'taker' AND block_number > 0 LIMIT ${bind("UInt32", MOST_FILLS + 1)}`,
      );
      if (rows.length > MOST_FILLS) throw new RangeError(`more than ${MOST_FILLS} fills between ${from} and ${to}`);
      return rows;
    },
  };
}
