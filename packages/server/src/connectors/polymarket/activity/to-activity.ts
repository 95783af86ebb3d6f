import type { InsertRow } from "../../../definition/table.ts";
import { polymarketNegRiskQuestions } from "../../../tables/polymarket-neg-risk-questions.ts";
import { polymarketPositionChanges } from "../../../tables/polymarket-position-changes.ts";
import { polymarketResolutions } from "../../../tables/polymarket-resolutions.ts";
import { polymarketTransfers } from "../../../tables/polymarket-transfers.ts";
import type { ChainRows } from "../chain/read-range.ts";
import { type ChainLog, logWords } from "../chain/logs.ts";
import { activityRows } from "./activity-rows.ts";
import { activityTopics } from "../chain/activity-topics.ts";
import { MovesLedger, type TokenMove, tokenMoves } from "./token-moves.ts";
import { passing, activityContracts } from "./contracts.ts";
import type { TokenFinder } from "./token-finder.ts";
import { type Operation, readRedemption, readSet, findOwner } from "./read-position.ts";

const { negRiskAdapter, noTokenBurn } = activityContracts;

/**
 * A neg-risk conversion: NO of each question whose bit is set is burnt; YES of every other question is paid, plus the
 * amount for each NO but one, less the market's fee. The tokens are those the adapter moved before its event; if these
 * moves do not fit the event there are none, and the ledger has no entry for it (no real case is known).
 */
function readConversion(log: ChainLog, moves: MovesLedger): Operation {
  const stakeholder = logWords.addressOf(log, 1);
  const indexSet = BigInt(logWords.topic(log, 3));
  const micro = logWords.at(log, 0);
  const before = log.logIndex;
  const got = moves.takeBefore(before, { from: negRiskAdapter, to: stakeholder });
  const given = moves.takeBefore(before, { from: stakeholder, to: noTokenBurn, micro });
  const count = BigInt([...indexSet.toString(2)].filter((bit) => bit === "1").length);
  const isWhole = BigInt(given.length) === count;
  const paid = got[0]?.micro ?? micro;
  const tokens = new Set(given.map(({ tokenId }) => tokenId));
  return {
    log,
    kind: "conversion",
    contract: "neg_risk_adapter",
    stakeholder,
    wallet: findOwner(moves, log, { stakeholder, direction: "in", tokens }),
    conditionId: undefined,
    marketId: logWords.topic(log, 2),
    indexSet,
    micro,
    usd: (count - 1n) * paid,
    deltas: isWhole
      ? [...given.map(lost), ...got.map(({ tokenId, micro: amount }) => ({ tokenId, micro: amount }))]
      : [],
  };
}

function lost({ tokenId, micro }: { readonly tokenId: bigint; readonly micro: bigint }): Operation["deltas"][number] {
  return { tokenId, micro: -micro };
}

/**
 * A billion shares, more than exist. Anyone can use ConditionalTokens and a token does not name its collateral: a
 * larger transfer is of a collateral with more than six decimals, and not Polymarket's.
 */
const MAX_MICRO = 10n ** 15n;
const FOREIGN = "transfers of more shares than Polymarket has were skipped: they belong to other tokens";

/** The rows of every chain activity table from a run of complete transactions, with notices of skipped transfers. */
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
      if (move.micro >= MAX_MICRO) foreign += 1;
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

/** Excludes moves made by trades and operations: fills and position changes already contain them. */
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

/** The operations of one transaction, in order: each consumes the moves that belong to it. */
function readOperations(logs: readonly ChainLog[], moves: MovesLedger, tokensOf: TokenFinder): Operation[] {
  return logs.flatMap((log) => readOperation(log, moves, tokensOf) ?? []);
}

function readOperation(log: ChainLog, moves: MovesLedger, tokensOf: TokenFinder): Operation | undefined {
  switch (log.topics[0]) {
    case activityTopics.split:
    case activityTopics.merged:
    case activityTopics.negRiskSplit:
    case activityTopics.negRiskMerged:
      return readSet(log, moves, tokensOf);
    case activityTopics.redeemed:
    case activityTopics.negRiskRedeemed:
      return readRedemption(log, moves, tokensOf);
    case activityTopics.converted:
      return readConversion(log, moves);
    default:
      return undefined;
  }
}
