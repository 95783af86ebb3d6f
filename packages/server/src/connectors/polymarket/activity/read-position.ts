import { type ChainLog, logWords } from "../chain/logs.ts";
import { activityContracts, polymarketCollateral, agents } from "./contracts.ts";
import { activityTopics } from "../chain/activity-topics.ts";
import type { MovesLedger } from "./token-moves.ts";
import type { TokenFinder } from "./token-finder.ts";

/** Maximum depth of agents acting for other agents. */
const DEEPEST = 3;

type Sought = {
  readonly stakeholder: string;
  /** Whether the tokens go on to the owner after the event ("out"), or came from the owner before it ("in"). */
  readonly direction: "out" | "in";
  readonly tokens: ReadonlySet<bigint>;
  readonly micro?: bigint;
};

/** The wallet an operation was done for: the stakeholder, or the wallet an agent's tokens came from or went to. */
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

const { zero, negRiskAdapter, wrappedCollateral } = activityContracts;

/**
 * A split or merge of ConditionalTokens or of the NegRiskAdapter; undefined for another collateral or a nested
 * position, which Polymarket does not have.
 */
export function readSet(log: ChainLog, moves: MovesLedger, tokensOf: TokenFinder): Operation | undefined {
  const said = isOfAdapter(log) ? ofAdapter(log) : ofConditionalTokens(log);
  if (said === undefined) return undefined;
  const { kind, contract, conditionId, micro } = said;
  const stakeholder = logWords.addressOf(log, 1);
  const ids = tokensOf(said.collateral, conditionId, said.indexSets);
  const tokens = new Set(ids);
  const isSplit = kind === "split";
  // The contract's own move for this event must not explain another operation.
  const self = contract === "neg_risk_adapter" ? negRiskAdapter : zero;
  moves.takeBefore(log.logIndex, {
    ...(isSplit ? { from: self, to: stakeholder } : { from: stakeholder, to: self }),
    tokens,
    micro,
  });
  const wallet = findOwner(moves, log, { stakeholder, direction: isSplit ? "out" : "in", tokens, micro });
  const change = isSplit ? micro : -micro;
  const deltas = ids.map((tokenId) => ({ tokenId, micro: change }));
  return {
    log,
    kind,
    contract,
    stakeholder,
    wallet,
    conditionId,
    marketId: undefined,
    indexSet: 0n,
    micro,
    usd: -change,
    deltas,
  };
}

type Said = Pick<Operation, "contract" | "micro"> & {
  readonly kind: "split" | "merge";
  readonly conditionId: string;
  readonly collateral: string;
  readonly indexSets: readonly bigint[];
};

function isOfAdapter(log: ChainLog): boolean {
  return log.topics[0] === activityTopics.negRiskSplit || log.topics[0] === activityTopics.negRiskMerged;
}

function ofAdapter(log: ChainLog): Said {
  return {
    kind: log.topics[0] === activityTopics.negRiskSplit ? "split" : "merge",
    contract: "neg_risk_adapter",
    conditionId: logWords.topic(log, 2),
    collateral: wrappedCollateral,
    indexSets: [1n, 2n],
    micro: logWords.at(log, 0),
  };
}

function ofConditionalTokens(log: ChainLog): Said | undefined {
  const collateral = logWords.addressAt(log, 0);
  if (!polymarketCollateral(collateral, logWords.topic(log, 2))) return undefined;
  return {
    kind: log.topics[0] === activityTopics.split ? "split" : "merge",
    contract: "conditional_tokens",
    conditionId: logWords.topic(log, 3),
    collateral,
    indexSets: logWords.listAt(log, 1),
    micro: logWords.at(log, 2),
  };
}

type Burnt = Operation["deltas"];

/**
 * A redemption. The NegRiskAdapter states the amounts burnt; ConditionalTokens states only the payout, so the amounts
 * come from the preceding burns of the redeemer's tokens. Undefined if not Polymarket's.
 */
export function readRedemption(log: ChainLog, moves: MovesLedger, tokensOf: TokenFinder): Operation | undefined {
  const stakeholder = logWords.addressOf(log, 1);
  if (log.topics[0] === activityTopics.negRiskRedeemed) {
    const conditionId = logWords.topic(log, 2);
    const amounts = logWords.listAt(log, 0);
    const ids = tokensOf(wrappedCollateral, conditionId, [1n, 2n]);
    const burnt = ids.map((tokenId, index) => ({ tokenId, micro: -(amounts[index] ?? 0n) }));
    return reported(log, moves, {
      contract: "neg_risk_adapter",
      stakeholder,
      conditionId,
      burnt,
      usd: logWords.at(log, 1),
    });
  }
  const collateral = logWords.addressOf(log, 2);
  if (!polymarketCollateral(collateral, logWords.topic(log, 3))) return undefined;
  const conditionId = logWords.hexAt(log, 0);
  const ids = tokensOf(collateral, conditionId, logWords.listAt(log, 1));
  const burnt = ids.map((tokenId) => {
    const [burn] = moves.takeBefore(log.logIndex, { from: stakeholder, to: zero, tokens: new Set([tokenId]) });
    return { tokenId, micro: -(burn?.micro ?? 0n) };
  });
  return reported(log, moves, {
    contract: "conditional_tokens",
    stakeholder,
    conditionId,
    burnt,
    usd: logWords.at(log, 2),
  });
}

function reported(
  log: ChainLog,
  moves: MovesLedger,
  said: Pick<Operation, "contract" | "stakeholder" | "conditionId" | "usd"> & { readonly burnt: Burnt },
): Operation {
  const { burnt, ...rest } = said;
  const deltas = burnt.filter(({ micro }) => micro !== 0n);
  const tokens = new Set(burnt.map(({ tokenId }) => tokenId));
  const wallet = findOwner(moves, log, { stakeholder: said.stakeholder, direction: "in", tokens });
  const micro = burnt.reduce((sum, one) => sum - one.micro, 0n);
  return { log, kind: "redemption", ...rest, wallet, marketId: undefined, indexSet: 0n, micro, deltas };
}

/** A wallet's operation on tokens outside the book, from its event and the moves around it. Amounts are millionths. */
export type Operation = {
  readonly log: ChainLog;
  readonly kind: "split" | "merge" | "conversion" | "redemption";
  readonly contract: "conditional_tokens" | "neg_risk_adapter";
  /** The address named in the event. */
  readonly stakeholder: string;
  /** The wallet whose tokens and money changed: the stakeholder, or the caller an adapter acted for. */
  readonly wallet: string;
  /** Undefined for a conversion, which concerns an entire neg-risk market. */
  readonly conditionId: string | undefined;
  readonly marketId: string | undefined;
  readonly indexSet: bigint;
  /** Complete sets, NO shares given per question, or all shares burnt by a redemption. */
  readonly micro: bigint;
  /** Money to the wallet; negative if it paid. */
  readonly usd: bigint;
  readonly deltas: readonly { readonly tokenId: bigint; readonly micro: bigint }[];
};
