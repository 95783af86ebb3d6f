import { createHash } from "node:crypto";
import { fromDefinition } from "../../packages/server/src/definition/sql.ts";
import type { StoredColumn, TableDefinition } from "../../packages/server/src/definition/table.ts";
import { CONTENT, hasVersions, sentColumns } from "../../packages/server/src/store/ddl.ts";
import type { Store } from "../../packages/server/src/store/store.ts";
import { polymarketEvents } from "../../packages/server/src/tables/polymarket-events.ts";
import { polymarketFills } from "../../packages/server/src/tables/polymarket-fills.ts";
import { polymarketMarkets } from "../../packages/server/src/tables/polymarket-markets.ts";
import { polymarketNegRiskQuestions } from "../../packages/server/src/tables/polymarket-neg-risk-questions.ts";
import { polymarketPositionChanges } from "../../packages/server/src/tables/polymarket-position-changes.ts";
import { polymarketResolutions } from "../../packages/server/src/tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../../packages/server/src/tables/polymarket-tokens.ts";
import { polymarketTransfers } from "../../packages/server/src/tables/polymarket-transfers.ts";

const TABLES: readonly TableDefinition[] = [
  polymarketMarkets,
  polymarketEvents,
  polymarketTokens,
  polymarketNegRiskQuestions,
  polymarketResolutions,
  polymarketTransfers,
  polymarketPositionChanges,
  polymarketFills,
];
/** Columns of ids that are the same in every copy: contracts, and what only looks like a token. */
const SHARED = new Set(["oracle", "index_set", "payout_numerators"]);
const HEX_TEXTS = new Set(["question_id", "neg_risk_market_id"]);
const NAMES = new Set(["gamma_id", "event_id", "slug", "event_slug"]);

/** What the ids of a copy differ by (bits exchanged), as a decimal number; the world itself is copy 0. */
export const differenceOf = (copy: number): string =>
  copy === 0 ? "0" : BigInt(`0x${createHash("sha256").update(`copy ${copy}`).digest("hex")}`).toString();

/** SQL of a wallet (20 bytes) of the world as a copy's; `difference` is SQL of a number of 256 bits. */
export const walletOfCopy = (wallet: string, difference: string): string =>
  `toFixedString(substring(reinterpretAsFixedString(bitXor(reinterpretAsUInt256(toFixedString(${wallet}, 32)), ${difference})), 1, 20), 20)`;

const DIFFERENCE = "copy.2";
const exchanged = (number: string): string => `bitXor(${number}, ${DIFFERENCE})`;
const bytes32 = (bytes: string): string =>
  `toFixedString(reinterpretAsFixedString(${exchanged(`reinterpretAsUInt256(${bytes})`)}), 32)`;
const unlessNone = (column: string, made: string): string =>
  `if(reinterpretAsUInt256(toFixedString(${column}, 32)) = 0, ${column}, ${made})`;

/** A column of a copy's row, as SQL over the world's. */
function copied(name: string, { stored }: StoredColumn): string {
  if (SHARED.has(name)) return name;
  if (stored === "FixedString(20)") return unlessNone(name, walletOfCopy(name, DIFFERENCE));
  if (stored === "FixedString(32)") return unlessNone(name, bytes32(name));
  if (stored === "UInt256") return exchanged(name);
  if (stored === "Array(UInt256)") return `arrayMap(one -> ${exchanged("one")}, ${name})`;
  if (stored === "String" && HEX_TEXTS.has(name))
    return `if(length(${name}) = 66, concat('0x', lower(hex(${bytes32(`toFixedString(unhex(substring(${name}, 3)), 32)`)}))), ${name})`;
  if (stored === "String" && NAMES.has(name)) return `concat(${name}, '-', toString(copy.1))`;
  return name;
}

/**
 * Stores the world that a store holds so many times in all, side by side: each time other wallets do the same in other
 * markets, at the same moments. For stores larger than a world that can be made and loaded in a session.
 */
export async function copyWorld(store: Store, copies: number, tell: (text: string) => void): Promise<void> {
  const differences = Array.from(
    { length: copies - 1 },
    (_, index) => `(${index + 1}, toUInt256('${differenceOf(index + 1)}'))`,
  );
  for (const table of TABLES) {
    const columns = sentColumns(table);
    const content = hasVersions(table) ? [CONTENT] : [];
    const names = [...columns.map(([name]) => name), ...content].join(", ");
    const made = [...columns.map(([name, column]) => `${copied(name, column)} AS made_${name}`), ...content];
    for (const order of [...Object.keys(table.copies ?? {}), table.name]) {
      tell(`copying ${order}`);
      await store.run(
        fromDefinition(
          `INSERT INTO ${order} (${names}) SELECT ${made.join(", ")} FROM ${order} ARRAY JOIN [${differences.join(", ")}] AS copy`,
        ),
        {
          max_execution_time: 0,
          max_threads: 1,
          max_partitions_per_insert_block: 0,
          min_insert_block_size_rows: 1_000_000,
        },
      );
    }
  }
  await store.run(fromDefinition("SYSTEM RELOAD DICTIONARY polymarket_token_info"));
}
