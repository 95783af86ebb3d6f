import { keyOf } from "../../../definition/key-of.ts";
import { rawText } from "../../../definition/raw-text.ts";
import type { RowReading } from "../../../definition/rows-of.ts";

/** What a row of the Data API's trades says where it cannot be parsed. */
export const tradeReading: RowReading = {
  at: (raw) => {
    const seconds = rawText(raw["timestamp"]);
    return seconds === undefined ? undefined : Number(seconds) * 1000;
  },
  key: (raw) => keyOf("tx_hash", rawText(raw["transaction_hash"])?.toLowerCase()),
  instrument: (raw) => rawText(raw["token_id"]),
  group: (raw) => rawText(raw["transaction_hash"]),
};
