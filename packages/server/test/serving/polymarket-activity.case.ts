import { polymarketActivity } from "../../src/datasets/polymarket-activity.ts";
import { polymarketPositionChanges } from "../../src/tables/polymarket-position-changes.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { servedPositionChanges } from "../../src/tables/served-position-changes.ts";
import type { Case } from "./oracle-of.ts";
import { NEW_YEAR, SPAN_SECONDS, type Draw } from "./random-fills.ts";
import { randomPage, randomParams, randomRange } from "./random-questions.ts";

const KINDS = ["split", "merge", "conversion", "redemption"];
const TOKENS = ["7", "8", String(2n ** 256n - 1n), "123456789012345678901234567890"];
const DELTAS = ["-999999999999.999999", "-1.5", "0", "0.000001", "10", "12.345678", "9007199254.740993"];
const NONE = `0x${"0".repeat(64)}`;

/** Changes of a few wallets and conditions, each with no, one or several tokens. */
export function polymarketActivityCase({ below, hex }: Draw): Case {
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const some = (values: readonly string[]): string => Array.from({ length: 1 + below(3) }, () => pick(values)).join();
  const wallets = Array.from({ length: 6 }, () => hex(20));
  const conditions = Array.from({ length: 6 }, () => hex(32));
  const change = () => {
    const kind = pick(KINDS);
    const isConversion = kind === "conversion";
    const token_ids = Array.from({ length: isConversion ? below(5) : 1 + below(2) }, () => pick(TOKENS));
    return {
      ts: NEW_YEAR + below(below(SPAN_SECONDS) + 1),
      tx_hash: hex(32),
      log_index: pick([0, 7, 1000]),
      kind,
      wallet: pick(wallets),
      stakeholder: pick(wallets),
      is_inner: below(4) === 0,
      contract: pick(["conditional_tokens", "neg_risk_adapter"]),
      condition_id: isConversion ? NONE : pick(conditions),
      market_id: isConversion ? hex(32) : NONE,
      index_set: isConversion ? pick(["1", "6", String(2n ** 255n)]) : "0",
      amount: pick(DELTAS),
      usd_delta: pick(DELTAS),
      token_ids,
      token_deltas: token_ids.map(() => pick(DELTAS)),
      block_number: pick([0, 84_000_000]),
    };
  };
  return {
    dataset: polymarketActivity,
    tables: [{ table: polymarketPositionChanges, served: servedPositionChanges }],
    rows: (round) => [
      {
        table: polymarketTokens,
        rows: [
          { token_id: TOKENS[round % 3], condition_id: hex(32), outcome_index: 0, outcome: "Yes", slug: 'köln-"1"' },
        ],
      },
      { table: polymarketPositionChanges, rows: Array.from({ length: 1 + below(100) }, change) },
    ],
    question: () => {
      const { params, chance } = randomParams(below);
      chance("proxy_wallet", 2, () => some([...wallets, hex(20)]));
      chance("condition_id", 3, () => some([...conditions, hex(32), NONE]));
      chance("kind", 4, () => pick(KINDS));
      chance("is_inner", 3, () => pick(["True", "BOTH"]));
      const [from, to] = randomRange(below, SPAN_SECONDS);
      const timestamp = (seconds: number): string => String(NEW_YEAR + seconds + below(2) * 0.5);
      chance("start_time", 3, () => timestamp(from));
      chance("end_time", 3, () => timestamp(to + 1));
      return { params, pagination: randomPage(below), format: pick(["raw", "typed", "ndjson"]) };
    },
  };
}
