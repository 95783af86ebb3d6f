import type { RefusedRow } from "../../../definition/read-page.ts";
import type { DataTrade } from "./data-trade.ts";

/**
 * What of the two feeds of trades could not be read: the other fills of such a transaction are left out with it, because
 * roles, numbers and kinds of a transaction's fills depend on all of them. Where the transaction cannot be told it is
 * the second.
 */
export class UnreadTrades {
  readonly #transactions = new Set<string>();
  readonly #seconds: { readonly from: number; readonly to: number }[] = [];

  note(rows: readonly RefusedRow[]): void {
    for (const { key, span } of rows) {
      if (key?.["tx_hash"] !== undefined) this.#transactions.add(key["tx_hash"]);
      else if (span !== undefined) this.#seconds.push({ from: span.from / 1000, to: span.to / 1000 });
    }
  }

  has(trade: DataTrade): boolean {
    const { seconds } = trade;
    return (
      this.#transactions.has(trade.tx_hash) || this.#seconds.some(({ from, to }) => seconds >= from && seconds <= to)
    );
  }
}
