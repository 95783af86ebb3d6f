import type { ChainLog } from "../chain/log-wire.ts";
import type { MovesLedger } from "./moves-ledger.ts";
import { agents } from "./passing-contracts.ts";

/** An agent may act for another agent, not more often than this. */
const DEEPEST = 3;

type Sought = {
  readonly stakeholder: string;
  /** Whether the tokens go on to the owner after the event, or came from there before it. */
  readonly direction: "out" | "in";
  readonly tokens: ReadonlySet<bigint>;
  readonly micro?: bigint;
};

/** For whom an operation was done: the stakeholder itself, or whoever an agent's tokens came from or went to. */
export function findOwner(moves: MovesLedger, log: ChainLog, { stakeholder, direction, ...wanted }: Sought): string {
  let owner = stakeholder;
  let at = log.logIndex;
  for (let depth = 0; depth < DEEPEST && agents.has(owner); depth += 1) {
    const [move] =
      direction === "out"
        ? moves.takeAfter(at, { from: owner, ...wanted })
        : moves.takeBefore(at, { to: owner, ...wanted });
    if (move === undefined) return owner;
    owner = direction === "out" ? move.to : move.from;
    at = move.log.logIndex;
  }
  return owner;
}
