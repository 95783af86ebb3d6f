import { polymarketTape } from "../../src/datasets/polymarket-tape.ts";
import { polymarketPrints } from "../../src/tables/polymarket-prints.ts";
import { servedPrints } from "../../src/tables/served-prints.ts";
import type { Case } from "./oracle-of.ts";
import { NEW_YEAR, SPAN_SECONDS, type Draw } from "./random-fills.ts";
import { randomPage, randomRange } from "./random-questions.ts";

const TOKENS = ["0", "7", "255", "256", String(2n ** 256n - 1n), "123456789012345678901234567890"];
const PRICES = ["0", "0.000001", "0.5", "0.55", "1"];
const SHARES = ["-1.5", "0", "0.000001", "1", "12.5", "9007199254.740991", "9007199254.740993", "999999999.999999"];
const SIDES = ["BUY", "SELL"];
const HASHES = ["", "0xa", "0xab", "ä", "\u{1f600}", "\uffee", 'x"y\\'];

/** Prints of a few tokens, many of the same millisecond that differ in a single field. */
export function polymarketTapeCase({ below, hex }: Draw): Case {
  const pick = (values: readonly string[]): string => values[below(values.length)] as string;
  const conditions = [hex(32), hex(32)];
  const timestamp = (): string =>
    new Date(
      below(40) === 0 ? below(1000) : (NEW_YEAR + below(below(SPAN_SECONDS) + 1)) * 1000 + below(2),
    ).toISOString();
  const print = (ts: string) => ({
    token_id: TOKENS[below(below(TOKENS.length) + 1)],
    ts,
    seq: below(3),
    condition_id: pick(conditions),
    side: pick(SIDES),
    price: pick(PRICES),
    shares: pick(SHARES),
    tx_hash: pick(HASHES),
  });
  return {
    dataset: polymarketTape,
    tables: [{ table: polymarketPrints, served: servedPrints }],
    rows: () => [
      {
        table: polymarketPrints,
        rows: Array.from({ length: 1 + below(40) }, timestamp).flatMap((ts) =>
          Array.from({ length: 1 + below(below(9) === 0 ? 30 : 3) }, () => print(ts)),
        ),
      },
    ],
    question: () => {
      const params: Record<string, string> = {
        token_id: Array.from({ length: 1 + below(3) }, () => pick([...TOKENS, "55"])).join(","),
      };
      const chance = (name: string, odds: number, value: () => string): void => {
        if (below(odds) === 0) params[name] = value();
      };
      const [from, to] = randomRange(below, SPAN_SECONDS);
      const at = (seconds: number): string => new Date((NEW_YEAR + seconds) * 1000 + below(2)).toISOString();
      chance("side", 4, () => pick(SIDES));
      chance("start_time", 3, () => at(from));
      chance("end_time", 3, () => at(to + 1));
      return { params, pagination: randomPage(below), format: pick(["raw", "typed", "ndjson"]) };
    },
  };
}
