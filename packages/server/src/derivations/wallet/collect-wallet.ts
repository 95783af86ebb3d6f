import { addMicros } from "../../definition/micros.ts";
import type { TokenDay } from "./day-sums.ts";
import { foldInSteps, type WalletFold } from "./fold-wallet.ts";
import type { FoldedDay, FoldedEnd, FoldedPosition, FoldedTokenDay, FoldedWallet } from "./folded-wallet.ts";
import type { Holding } from "./holding.ts";

type Position = { -readonly [Name in keyof FoldedPosition]: FoldedPosition[Name] };

/** A wallet's days and positions in memory, for requests answered from them; in steps. */
export function* foldedWallet(fold: WalletFold): Generator<undefined, FoldedWallet> {
  const days: FoldedDay[] = [];
  const tokenDays: FoldedTokenDay[] = [];
  const ended: FoldedEnd[] = [];
  const positions = new Map<Holding, Position>();
  yield* foldInSteps(fold, {
    tokenDay: (day, sums) => {
      tokenDays.push(tokenDayOf(day, sums));
      const position = positions.get(sums.holding);
      if (position === undefined) positions.set(sums.holding, firstOf(sums));
      else addDay(position, sums);
    },
    conditionDay: (day, condition, { wins, losses, pnl, gained }) => {
      ended.push({ day, condition, wins, losses, pnl, gained });
    },
    walletDay: (day) => {
      days.push(day);
    },
  });
  return { days, tokenDays, ended, positions: [...positions.values()] };
}

function tokenDayOf(day: number, sums: TokenDay): FoldedTokenDay {
  const { token, condition, payout } = sums.holding;
  const { buys, sells, bought, fee, realized, realizedFifo, isSettled } = sums;
  return { day, token, condition, payout, buys, sells, bought, fee, realized, realizedFifo, isSettled };
}

function firstOf(sums: TokenDay): Position {
  const { token, condition, shares, cost, costFifo, payout } = sums.holding;
  const { firstAt, lastAt, buys, sells, sharesBought, bought, sharesSold, sold, fee, realized, realizedFifo } = sums;
  return {
    isEstimated: sums.isEstimated,
    token,
    condition,
    shares,
    cost,
    costFifo,
    payout,
    openedAt: firstAt,
    lastAt,
    buys,
    sells,
    sharesBought,
    bought,
    sharesSold,
    sold,
    fee,
    realized,
    realizedFifo,
  };
}

/** Adds a later day of the token: holdings change only on such days. */
function addDay(position: Position, sums: TokenDay): void {
  const { shares, cost, costFifo, payout } = sums.holding;
  position.shares = shares;
  position.cost = cost;
  position.costFifo = costFifo;
  position.payout = payout;
  position.lastAt = sums.lastAt;
  position.isEstimated ||= sums.isEstimated;
  position.buys += sums.buys;
  position.sells += sums.sells;
  position.sharesBought = addMicros(position.sharesBought, sums.sharesBought);
  position.bought = addMicros(position.bought, sums.bought);
  position.sharesSold = addMicros(position.sharesSold, sums.sharesSold);
  position.sold = addMicros(position.sold, sums.sold);
  position.fee = addMicros(position.fee, sums.fee);
  position.realized = addMicros(position.realized, sums.realized);
  position.realizedFifo = addMicros(position.realizedFifo, sums.realizedFifo);
}
