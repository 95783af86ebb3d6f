import type { ChainLog } from "../chain/log-wire.ts";
import { activityContracts } from "./activity-contracts.ts";
import { findOwner } from "./find-owner.ts";
import { logWords } from "../chain/log-words.ts";
import type { MovesLedger } from "./moves-ledger.ts";
import type { Operation } from "./operation.ts";

const { negRiskAdapter, noTokenBurn } = activityContracts;

/**
 * A neg-risk conversion: NO of each question whose bit is set is burnt; YES of every other question and the amount for
 * each NO but one are paid, less the market's fee. The tokens are those that the adapter moved before its event; there
 * are none where those moves do not fit the event, and the ledger then has nothing of it (no real one is known).
 */
export function readConversion(log: ChainLog, moves: MovesLedger): Operation {
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
