import { bind, sql } from "../../packages/server/src/definition/sql.ts";
import type { OpenStore } from "../../packages/server/src/store/open-store.ts";
import { engineEvents } from "./engine-events.ts";
import { inNewStore } from "./in-new-store.ts";
import { costOf, type QuestionCost } from "./question-costs.ts";
import { tableCosts, type TableCost } from "./table-costs.ts";
import { untilMerged } from "./until-merged.ts";

export type SyntheticOptions = {
  readonly folder: string;
  readonly sizes: readonly number[];
  readonly migrations: string;
};

export type SyntheticSize = {
  readonly rows: number;
  readonly table: TableCost;
  /** Of storing what this size has more than the last: of the insert, and of all with its merges. */
  readonly insert_cpu_us_a_row: number;
  readonly cpu_us_a_row: number;
  readonly question: QuestionCost;
};

const STEP = 1_000_000;
const DAYS = 180;
const WALLETS_A_ROW = 1 / 333;
const TURNS = 60;

/**
 * Fills `polymarket_fills_by_wallet` of a new store with made-up rows: its layout, a wallet per 333 fills of which few
 * have many, moments over half a year. Hashes have eight random bytes (they are not compressed anyway).
 */
export async function growSynthetic({
  folder,
  sizes,
  migrations,
}: SyntheticOptions): Promise<readonly SyntheticSize[]> {
  return await inNewStore({ folder, migrations }, async (store) => {
    const most = Math.max(...sizes);
    const grown: SyntheticSize[] = [];
    let rows = 0;
    for (const size of sizes) {
      const before = await engineEvents(store);
      const from = rows;
      for (; rows < size; rows = Math.min(size, rows + STEP)) {
        await insertStep(store, rows, Math.min(size, rows + STEP), most);
      }
      const inserted = await engineEvents(store);
      await untilMerged(store);
      const merged = await engineEvents(store);
      const question = await costOf(store, await walletQuestion(store), TURNS);
      // After the question: it brings the index into memory.
      const table = (await tableCosts(store)).find((one) => one.table === "polymarket_fills_by_wallet");
      if (table === undefined) throw new Error("nothing was stored");
      const more = size - from;
      grown.push({
        rows: size,
        table,
        insert_cpu_us_a_row: (inserted.cpu_us - before.cpu_us) / more,
        cpu_us_a_row: (merged.cpu_us - before.cpu_us) / more,
        question,
      });
      process.stderr.write(`${JSON.stringify(grown.at(-1))}\n`);
    }
    return grown;
  });
}

async function insertStep(store: OpenStore, from: number, to: number, most: number): Promise<void> {
  const wallets = Math.ceil(most * WALLETS_A_ROW);
  await store.run(
    sql`INSERT INTO polymarket_fills_by_wallet (ts, tx_hash, order_hash, wallet, token_id, side, role, match_kind, shares, usd, fee_usd, block_number, log_index, source)
SELECT toDateTime('2026-01-01 00:00:00', 'UTC') + toUInt32(number * ${bind("Float64", (DAYS * 86_400) / most)}),
  reinterpretAsFixedString(toUInt256(cityHash64(intDiv(number, 2)))), reinterpretAsFixedString(toUInt256(cityHash64(number, 1))),
  toFixedString(reinterpretAsString(reverse(reinterpretAsFixedString(toUInt128(cityHash64(toUInt64(${bind("Float64", wallets)} * pow(cityHash64(number, 2) / 18446744073709551616., 3))))))), 20),
  toUInt256(cityHash64(number % 80000)), 1 + number % 2, 1 + number % 2, 1, toDecimal64(1 + cityHash64(number, 3) % 100000000 / 1000000., 6), toDecimal64(1 + cityHash64(number, 4) % 50000000 / 1000000., 6),
  toDecimal64(0, 6), toUInt32(50000000 + intDiv(number, 10)), number % 400, 2
FROM numbers(${bind("UInt64", from)}, ${bind("UInt64", to - from)})`,
    { max_threads: 1, max_insert_threads: 1, max_block_size: STEP, min_insert_block_size_rows: STEP },
  );
}

async function walletQuestion(store: OpenStore) {
  const found = await store.rows<{ v: string }>(
    sql`SELECT concat('0x', lower(hex(wallet))) AS v FROM polymarket_fills_by_wallet GROUP BY wallet HAVING count() > 120 ORDER BY cityHash64(wallet) LIMIT 500`,
    { settings: { max_execution_time: 300, max_threads: 2 } },
  );
  const at = (turn: number): string => found[(turn * 7919) % found.length]?.v ?? "";
  return {
    name: "556 of a wallet",
    agentId: 556,
    params: (turn: number) => ({ proxy_wallet: at(turn) }),
    limit: 100,
  };
}
