import type { InsertRow } from "../../../definition/table.ts";
import { microText } from "../../../definition/micro-text.ts";
import { toMicro } from "../exact/to-micro.ts";
import type { Print } from "./market-frame-wire.ts";

/** Makes rows of polymarket_prints, counting alike prints of a token within a millisecond. */
export class PrintRows {
  readonly #counts = new Map<string, { ms: number; alike: Map<string, number> }>();

  /** A print without a size says nothing and gives no row. */
  toRow(print: Print): InsertRow | undefined {
    if (print.size === undefined) return undefined;
    const price = microText(toMicro(print.price));
    const shares = microText(toMicro(print.size));
    const tx_hash = print.transaction_hash?.toLowerCase() ?? "";
    const seq = this.#count(print.asset_id, print.timestamp, `${price}|${shares}|${print.side}|${tx_hash}`);
    return {
      token_id: print.asset_id,
      ts: new Date(print.timestamp).toISOString(),
      seq,
      condition_id: print.market,
      side: print.side,
      price,
      shares,
      tx_hash,
    };
  }

  #count(token: string, ms: number, key: string): number {
    let moment = this.#counts.get(token);
    if (moment?.ms !== ms) {
      moment = { ms, alike: new Map() };
      this.#counts.set(token, moment);
    }
    const seq = moment.alike.get(key) ?? 0;
    moment.alike.set(key, seq + 1);
    return seq;
  }
}
