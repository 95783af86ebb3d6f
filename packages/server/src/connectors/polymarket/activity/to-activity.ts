import type { InsertRow } from "../../../definition/table.ts";
import { polymarketNegRiskQuestions } from "../../../tables/polymarket-neg-risk-questions.ts";
import { polymarketPositionChanges } from "../../../tables/polymarket-position-changes.ts";
import { polymarketResolutions } from "../../../tables/polymarket-resolutions.ts";
import { polymarketTransfers } from "../../../tables/polymarket-transfers.ts";
import type { ChainRows } from "../chain/chain-stream.ts";
import type { ChainLog } from "../chain/log-wire.ts";
import { activityRows } from "./activity-rows.ts";
import { activityTopics } from "../chain/activity-topics.ts";
import { MovesLedger } from "./moves-ledger.ts";
import { passing } from "./passing-contracts.ts";
import { readOperations } from "./read-operations.ts";
import type { TokenFinder } from "./token-finder.ts";
import { type TokenMove, tokenMoves } from "./token-moves.ts";

/**
 * A billion shares, more than there are. ConditionalTokens is open to everybody and a token does not say of what
 * collateral it is: what moves more is of one with more than six decimals, and none of Polymarket's.
 */
const MOST_MICRO = 10n ** 15n;
const FOREIGN = "transfers of more shares than Polymarket has were left out: they are of other tokens";

/** The rows of every table of chain activity that a run of whole transactions tells of, and what was left out. */
export function toActivity(
  logs: readonly ChainLog[],
  secondsOf: (block: number) => number,
  tokensOf: TokenFinder,
): ChainRows {
  const changes: InsertRow[] = [];
  const transfers: InsertRow[] = [];
  let foreign = 0;
  const transactions = Map.groupBy(
    logs.filter((log) => log.removed !== true),
    (log) => log.transactionHash,
  );
  for (const unordered of transactions.values()) {
    const own = unordered.toSorted((a, b) => a.logIndex - b.logIndex);
    const moves = tokenMoves(own);
    for (const operation of readOperations(own, new MovesLedger(moves), tokensOf)) {
      changes.push(activityRows.positionChange(operation, secondsOf(operation.log.blockNumber)));
    }
    for (const move of moves) {
      if (!isBetweenWallets(move)) continue;
      if (move.micro >= MOST_MICRO) foreign += 1;
      else transfers.push(activityRows.transfer(move, secondsOf(move.log.blockNumber)));
    }
  }
  const rows = [
    { table: polymarketPositionChanges, rows: changes },
    { table: polymarketTransfers, rows: transfers },
    { table: polymarketResolutions, rows: rowsOf(logs, secondsOf, activityTopics.resolved, activityRows.resolution) },
    {
      table: polymarketNegRiskQuestions,
      rows: rowsOf(logs, secondsOf, activityTopics.questionPrepared, activityRows.question),
    },
  ];
  return foreign === 0 ? { rows } : { rows, notices: [{ kind: "upstream_note", text: FOREIGN, count: foreign }] };
}

/** Moves that trades and operations make are in the fills and in the position changes already. */
function isBetweenWallets({ operator, from, to, micro }: TokenMove): boolean {
  return micro > 0n && ![operator, from, to].some((address) => passing.has(address));
}

function rowsOf(
  logs: readonly ChainLog[],
  secondsOf: (block: number) => number,
  topic: string,
  toRow: (log: ChainLog, seconds: number) => InsertRow,
): InsertRow[] {
  return logs
    .filter((log) => log.removed !== true && log.topics[0] === topic)
    .map((log) => toRow(log, secondsOf(log.blockNumber)));
}
