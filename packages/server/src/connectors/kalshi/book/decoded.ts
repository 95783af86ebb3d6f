import type { Decoded } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { bookEvents } from "../../../tables/book-events.ts";

export function rowsOf(rows: readonly InsertRow[]): Decoded["rows"] {
  return rows.length === 0 ? [] : [{ table: bookEvents, rows }];
}

export function sending(send: readonly string[]): Decoded {
  return send.length === 0 ? { rows: [] } : { rows: [], send };
}

export function merged(first: Decoded, second: Decoded): Decoded {
  return {
    rows: [...first.rows, ...second.rows],
    broken: [...(first.broken ?? []), ...(second.broken ?? [])],
    send: [...(first.send ?? []), ...(second.send ?? [])],
    restored: [...(first.restored ?? []), ...(second.restored ?? [])],
  };
}
