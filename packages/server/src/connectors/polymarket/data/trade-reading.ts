import { keyOf } from "../../../definition/key-of.ts";
import { rawText } from "../../../definition/raw-text.ts";
import type { RowReading } from "../../../definition/rows-of.ts";

/** What a row of either Data API says where it cannot be parsed; `names` are the fields' names in that version. */
export function tradeReading(names: { readonly transaction: string; readonly token: string }): RowReading {
  return {
    at: (raw) => {
      const seconds = rawText(raw["timestamp"]);
      return seconds === undefined ? undefined : Number(seconds) * 1000;
    },
    key: (raw) => keyOf("tx_hash", rawText(raw[names.transaction])?.toLowerCase()),
    instrument: (raw) => rawText(raw[names.token]),
    group: (raw) => rawText(raw[names.transaction]),
  };
}
