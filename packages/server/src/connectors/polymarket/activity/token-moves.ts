import { type ChainLog, logWords } from "../chain/logs.ts";
import { activityTopics } from "../chain/activity-topics.ts";

type Wanted = {
  readonly from?: string;
  readonly to?: string;
  readonly tokens?: ReadonlySet<bigint>;
  readonly micro?: bigint;
};

/** The moves of one transaction, each of which explains at most one operation. */
export class MovesLedger {
  readonly #moves: readonly TokenMove[];
  readonly #taken = new Set<TokenMove>();

  constructor(moves: readonly TokenMove[]) {
    this.#moves = moves;
  }

  /** Takes the matching moves of the newest matching batch before a log; empty if none matches. */
  takeBefore(logIndex: number, wanted: Wanted): TokenMove[] {
    const last = this.#moves.findLast((move) => move.log.logIndex < logIndex && this.#fits(move, wanted));
    return this.#takeBatch(last, wanted);
  }

  /** Takes the matching moves of the first matching batch after a log. */
  takeAfter(logIndex: number, wanted: Wanted): TokenMove[] {
    const first = this.#moves.find((move) => move.log.logIndex > logIndex && this.#fits(move, wanted));
    return this.#takeBatch(first, wanted);
  }

  #takeBatch(one: TokenMove | undefined, wanted: Wanted): TokenMove[] {
    if (one === undefined) return [];
    const batch = this.#moves.filter((move) => move.log === one.log && this.#fits(move, wanted));
    for (const move of batch) this.#taken.add(move);
    return batch;
  }

  #fits(move: TokenMove, { from, to, tokens, micro }: Wanted): boolean {
    return (
      !this.#taken.has(move) &&
      (from === undefined || move.from === from) &&
      (to === undefined || move.to === to) &&
      (tokens === undefined || tokens.has(move.tokenId)) &&
      (micro === undefined || move.micro === micro)
    );
  }
}

/** One token moved by a TransferSingle or by an entry of a TransferBatch; `micro` is in millionths of a share. */
export type TokenMove = {
  readonly log: ChainLog;
  /** Index in its batch; 0 for a single one. */
  readonly place: number;
  readonly operator: string;
  readonly from: string;
  readonly to: string;
  readonly tokenId: bigint;
  readonly micro: bigint;
};

/** The moves among the logs of a transaction, in order. */
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
    if (isOne) {
      moves.push({ ...named, place: 0, tokenId: logWords.at(log, 0), micro: logWords.at(log, 1) });
      continue;
    }
    const values = logWords.listAt(log, 1);
    for (const [place, tokenId] of logWords.listAt(log, 0).entries()) {
      const micro = values[place];
      if (micro === undefined)
        throw new RangeError(`${log.transactionHash} ${log.logIndex} has token and amount lists of unequal length`);
      moves.push({ ...named, place, tokenId, micro });
    }
  }
  return moves;
}
