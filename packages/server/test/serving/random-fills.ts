import type { InsertRow } from "../../src/definition/table.ts";

/** Random numbers, and random hashes and wallets of so many bytes. */
export type Draw = { readonly below: (end: number) => number; readonly hex: (bytes: number) => string };

export function drawOf(random: () => number): Draw {
  const below = (end: number): number => Math.floor(random() * end);
  const hex = (bytes: number): string =>
    `0x${Array.from({ length: bytes }, () => below(256).toString(16).padStart(2, "0")).join("")}`;
  return { below, hex };
}

/** Amounts at which the form of numbers, floats and their texts changes. */
const EXTREMES = [
  "0",
  "0.000001",
  "0.00001",
  "0.1",
  "1",
  "10",
  "999999.999999",
  "1000000",
  "9007199254.740990",
  "9007199254.740991",
  "9007199254.740992",
  "9007199254.740993",
  "999999999999.999999",
  "123456789012",
  "-0.000001",
  "-1.5",
  "-999999999999.999999",
];
const SOURCES = ["chain_v1", "chain_v2", "data_api_v1", "data_api_v2", "rtds"];
export const NEW_YEAR = Date.UTC(2026, 0, 1) / 1000;
export const SPAN_SECONDS = 4000;

const pick = <Value>({ below }: Draw, values: readonly Value[]): Value => values[below(values.length)] as Value;

/** Picks the first values far more often than the last ones. */
const oneOfFew = <Value>(draw: Draw, values: readonly Value[]): Value =>
  values[draw.below(draw.below(values.length) + 1)] as Value;

function amount(draw: Draw): string {
  if (draw.below(6) === 0) return pick(draw, EXTREMES);
  return (draw.below(10 ** (1 + draw.below(9))) / 10 ** draw.below(7)).toFixed(draw.below(7));
}

/** Random fills, one to five per transaction and several per second, some of them from the Data API. */
export function randomFills(
  draw: Draw,
  count: number,
  wallets: readonly string[],
  tokens: readonly string[],
): InsertRow[] {
  const { below, hex } = draw;
  const rows: InsertRow[] = [];
  while (rows.length < count) {
    const ts = below(60) === 0 ? pick(draw, [1, 4_294_967_295]) : NEW_YEAR + below(below(SPAN_SECONDS) + 1);
    const [transaction, source] = [hex(32), pick(draw, SOURCES)];
    for (let left = 1 + below(5); left > 0; left -= 1) {
      const shares = amount(draw);
      const price = below(100) / 100;
      rows.push({
        ts,
        tx_hash: transaction,
        order_hash: hex(32),
        wallet: oneOfFew(draw, wallets),
        token_id: oneOfFew(draw, tokens),
        side: pick(draw, ["BUY", "SELL"]),
        role: pick(draw, ["maker", "taker", "unknown"]),
        match_kind: "unknown",
        shares,
        usd: below(2) === 0 ? amount(draw) : (Math.min(1e9, Number(shares)) * price).toFixed(6),
        fee_usd: below(2) === 0 ? "0" : amount(draw),
        block_number: pick(draw, [0, 1, 84_000_000, 4_294_967_295]),
        log_index: 0,
        source,
        alike_number: below(5) === 0 ? 1 + below(3) : 0,
        ingested_at: new Date((NEW_YEAR + 2 * SPAN_SECONDS + below(1000)) * 1000).toISOString().replace("Z", "123Z"),
      });
    }
  }
  return rows;
}
