import type { World } from "../../packages/exchange/src/world/world.ts";
import {
  expectedOperation,
  expectedResolution,
  expectedTransfer,
  sortedTokens,
  type Transferred,
  transferredOf,
} from "./activity.ts";
import { byCursor } from "./ask.ts";
import type { Running } from "./scene.ts";
import { countRows } from "./settle.ts";
import { Comparison, type Row, type Tally } from "./tally.ts";

const LIMIT = 1000;

type Placed = { readonly block_number: number; readonly tx_hash: string; readonly log_index: number };
type Requested = Pick<Running, "ask" | "store">;

const keyOf = ({ tx_hash, log_index }: Placed): string => `${tx_hash} ${log_index}`;
const keyOfRow = (row: Row): string => `${String(row["transaction_hash"])} ${String(row["log_index"])}`;

/** Current chain position of an event (reorganisations move it); undefined if it is no longer, or not yet, there. */
export type Placer = <T extends Placed>(happening: T) => T | undefined;

const whereItWas: Placer = (happening) => happening;

/** Events on the chain up to its head. */
const reported = <T extends Placed>(world: World, list: readonly T[], placer: Placer): T[] =>
  list
    .map(placer)
    .filter((one) => one !== undefined)
    .filter(({ block_number }) => block_number <= world.chain.head());

/** Wallets' splits, merges, conversions and redemptions against the truth; sets made by trades must not be reported. */
export async function compareOperations(world: World, running: Requested, placer: Placer = whereItWas): Promise<Tally> {
  const truth = new Map(reported(world, world.polymarket.operations, placer).map((one) => [keyOf(one), one]));
  const compared = new Comparison(truth, expectedOperation);
  for await (const rows of byCursor(running.ask, { agentId: 1104, params: {}, limit: LIMIT })) {
    for (const row of rows) {
      const tokens = JSON.parse(String(row["tokens"])) as { token_id: string; shares: string }[];
      compared.take(keyOfRow(row), { ...row, tokens: sortedTokens(tokens) });
    }
  }
  const stored = await countRows(running, "polymarket_position_changes", "NOT is_inner");
  return compared.end("1104 polymarket-activity", stored);
}

export async function compareResolutions(
  world: World,
  running: Requested,
  placer: Placer = whereItWas,
): Promise<Tally> {
  const truth = new Map(reported(world, world.polymarket.resolutions, placer).map((one) => [keyOf(one), one]));
  const compared = new Comparison(truth, expectedResolution);
  for await (const rows of byCursor(running.ask, { agentId: 1105, params: {}, limit: LIMIT })) {
    for (const row of rows) {
      const lists = {
        payouts: JSON.stringify(row["payouts"]),
        payout_numerators: JSON.stringify(row["payout_numerators"]),
      };
      compared.take(keyOfRow(row), { ...row, ...lists });
    }
  }
  return compared.end("1105 polymarket-resolutions", await countRows(running, "polymarket_resolutions"));
}

export async function compareTransfers(world: World, running: Requested, placer: Placer = whereItWas): Promise<Tally> {
  const truth = new Map<string, Transferred>(
    reported(world, world.polymarket.transfers, placer)
      .flatMap(transferredOf)
      .map((one) => [`${keyOf(one.transfer)} ${one.place}`, one]),
  );
  const compared = new Comparison(truth, expectedTransfer);
  for await (const rows of byCursor(running.ask, { agentId: 1106, params: {}, limit: LIMIT })) {
    for (const row of rows) compared.take(`${keyOfRow(row)} ${String(row["place"])}`, row);
  }
  return compared.end("1106 polymarket-transfers", await countRows(running, "polymarket_transfers"));
}
