import { polymarketTransfersDataset } from "../../src/datasets/polymarket-transfers.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { polymarketTransfers } from "../../src/tables/polymarket-transfers.ts";
import { servedTransfers } from "../../src/tables/served-transfers.ts";
import type { Case } from "./oracle-of.ts";
import { NEW_YEAR, SPAN_SECONDS, type Draw } from "./random-fills.ts";
import { randomPage, randomParams, randomRange } from "./random-questions.ts";

const TOKENS = ["0", "7", String(2n ** 256n - 1n), "123456789012345678901234567890"];
const SHARES = ["0.000001", "1", "12.345678", "9007199254.740993", "999999999999.999999"];

/** Transfers among a few wallets, some from a wallet to itself, several per batch. */
export function polymarketTransfersCase({ below, hex }: Draw): Case {
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const some = (values: readonly string[]): string => Array.from({ length: 1 + below(3) }, () => pick(values)).join();
  const wallets = Array.from({ length: 6 }, () => hex(20));
  const transfersOf = (batch: object) =>
    Array.from({ length: 1 + below(3) }, (_, place) => ({
      ...batch,
      place,
      token_id: pick(TOKENS),
      shares: pick(SHARES),
    }));
  return {
    dataset: polymarketTransfersDataset,
    tables: [{ table: polymarketTransfers, served: servedTransfers }],
    rows: (round) => [
      {
        table: polymarketTokens,
        rows: [{ token_id: TOKENS[round % 3], condition_id: hex(32), outcome_index: 0, outcome: 'Jä"', slug: "rain" }],
      },
      {
        table: polymarketTransfers,
        rows: Array.from({ length: 1 + below(60) }, () =>
          transfersOf({
            ts: NEW_YEAR + below(below(SPAN_SECONDS) + 1),
            tx_hash: hex(32),
            log_index: pick([0, 7, 1000]),
            operator: pick(wallets),
            from_wallet: pick(wallets),
            to_wallet: pick(wallets),
            block_number: pick([0, 84_000_000]),
          }),
        ).flat(),
      },
    ],
    question: () => {
      const { params, chance } = randomParams(below);
      chance("proxy_wallet", 2, () => some([...wallets, hex(20)]));
      chance("token_id", 3, () => some([...TOKENS, "55"]));
      const [from, to] = randomRange(below, SPAN_SECONDS);
      const timestamp = (seconds: number): string => String(NEW_YEAR + seconds + below(2) * 0.5);
      chance("start_time", 3, () => timestamp(from));
      chance("end_time", 3, () => timestamp(to + 1));
      return { params, pagination: randomPage(below), format: pick(["raw", "typed", "ndjson"]) };
    },
  };
}
