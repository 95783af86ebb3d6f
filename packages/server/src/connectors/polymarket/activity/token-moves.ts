import type { ChainLog } from "../chain/log-wire.ts";
import { activityTopics } from "../chain/activity-topics.ts";
import { logWords } from "../chain/log-words.ts";
import { agents, exchanges } from "./passing-contracts.ts";

/** One token moved by a TransferSingle or by a place of a TransferBatch; `micro` are millionths of a share. */
export type TokenMove = {
  readonly log: ChainLog;
  /** Place in its batch; 0 for a single one. */
  readonly place: number;
  readonly operator: string;
  readonly from: string;
  readonly to: string;
  readonly tokenId: bigint;
  readonly micro: bigint;
};

/** The moves among the logs of a transaction, in order, but for those by which an exchange settles trades. */
export function tokenMoves(logs: readonly ChainLog[]): TokenMove[] {
  const moves: TokenMove[] = [];
  for (const log of logs) {
    const isOne = log.topics[0] === activityTopics.movedOne;
    if (!isOne && log.topics[0] !== activityTopics.movedMany) continue;
    const named = {
      log,
      operator: logWords.addressOf(log, 1),
      from: logWords.addressOf(log, 2),
      to: logWords.addressOf(log, 3),
    };
    if (isOfTrade(named)) continue;
    if (isOne) {
      moves.push({ ...named, place: 0, tokenId: logWords.at(log, 0), micro: logWords.at(log, 1) });
      continue;
    }
    const values = logWords.listAt(log, 1);
    for (const [place, tokenId] of logWords.listAt(log, 0).entries()) {
      const micro = values[place];
      if (micro === undefined) throw new RangeError(`${log.transactionHash} ${log.logIndex} moves unequal lists`);
      moves.push({ ...named, place, tokenId, micro });
    }
  }
  return moves;
}

function isOfTrade({ operator, from, to }: Pick<TokenMove, "operator" | "from" | "to">): boolean {
  return exchanges.has(operator) && !agents.has(from) && !agents.has(to);
}
