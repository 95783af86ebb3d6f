import type { TokenMove } from "./token-moves.ts";

type Wanted = {
  readonly from?: string;
  readonly to?: string;
  readonly tokens?: ReadonlySet<bigint>;
  readonly micro?: bigint;
};

/** The moves of one transaction, each of which explains one operation at most. */
export class MovesLedger {
  readonly #moves: readonly TokenMove[];
  readonly #taken = new Set<TokenMove>();

  constructor(moves: readonly TokenMove[]) {
    this.#moves = moves;
  }

  /** Takes the newest batch before a log that fits: all its fitting places, none where nothing fits. */
  takeBefore(logIndex: number, wanted: Wanted): TokenMove[] {
    const last = this.#moves.findLast((move) => move.log.logIndex < logIndex && this.#fits(move, wanted));
    return this.#takeBatch(last, wanted);
  }

  /** Takes the first batch after a log that fits. */
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
