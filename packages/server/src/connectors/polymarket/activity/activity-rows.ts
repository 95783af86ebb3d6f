import type { InsertRow } from "../../../definition/table.ts";
import { type ChainLog, logWords } from "../chain/logs.ts";
import { isoSeconds } from "../exact/values.ts";
import { microText } from "../../../definition/value-text.ts";
import { activityContracts, agents, exchanges } from "./contracts.ts";
import type { Operation } from "./read-position.ts";
import type { TokenMove } from "./token-moves.ts";
import { keccak, toWord } from "../chain/keccak.ts";

const NONE = `0x${"0".repeat(64)}`;
const MILLION = 1_000_000n;

/** A log's position on the chain: columns of every table of chain activity. */
function placeOf(log: ChainLog, seconds: number): InsertRow {
  const { transactionHash, logIndex, blockNumber } = log;
  return { ts: isoSeconds(seconds), tx_hash: transactionHash, log_index: logIndex, block_number: blockNumber };
}

/** Builds rows of the chain activity tables. */
export const activityRows = {
  positionChange(operation: Operation, seconds: number): InsertRow {
    const { log, kind, contract, stakeholder, wallet, deltas } = operation;
    return {
      ...placeOf(log, seconds),
      kind,
      wallet,
      stakeholder,
      is_inner: exchanges.has(wallet) || agents.has(wallet) || wallet === activityContracts.negRiskAdapter,
      contract,
      condition_id: operation.conditionId ?? NONE,
      market_id: operation.marketId ?? NONE,
      index_set: String(operation.indexSet),
      amount: microText(operation.micro),
      usd_delta: microText(operation.usd),
      token_ids: deltas.map(({ tokenId }) => String(tokenId)),
      token_deltas: deltas.map(({ micro }) => microText(micro)),
    };
  },

  transfer({ log, place, operator, from, to, tokenId, micro }: TokenMove, seconds: number): InsertRow {
    const parties = { operator, from_wallet: from, to_wallet: to };
    return { ...placeOf(log, seconds), place, ...parties, token_id: String(tokenId), shares: microText(micro) };
  },

  resolution(log: ChainLog, seconds: number): InsertRow {
    const numerators = logWords.listAt(log, 1);
    const sum = numerators.reduce((total, one) => total + one, 0n);
    return {
      ...placeOf(log, seconds),
      condition_id: logWords.topic(log, 1),
      oracle: logWords.addressOf(log, 2),
      question_id: logWords.topic(log, 3),
      payout_numerators: numerators.map(String),
      payouts: numerators.map((one) => (sum === 0n ? "0" : microText((one * MILLION) / sum))),
    };
  },

  question(log: ChainLog, seconds: number): InsertRow {
    const question_id = logWords.topic(log, 2);
    return {
      ...placeOf(log, seconds),
      market_id: logWords.topic(log, 1),
      question_index: Number(logWords.at(log, 0)),
      question_id,
      condition_id: conditionIdOf(activityContracts.negRiskAdapter, question_id),
    };
  },
} as const;

/** ConditionalTokens.getConditionId for two outcomes. */
function conditionIdOf(oracle: string, questionId: string): string {
  return keccak(oracle, questionId, toWord(2n));
}
