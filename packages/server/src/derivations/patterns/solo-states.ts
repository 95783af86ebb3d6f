import type { PatternState } from "./score-ties.ts";

/** A wallet as `soloPatterns` tells it. */
export type SoloWallet = {
  readonly id: string;
  readonly last_day: string;
  readonly fills: number;
  readonly sets: number;
  readonly quoted: number;
  readonly two_sided: number;
  readonly average_entry: number;
  readonly sure_share: number;
  readonly maker_share: number;
  readonly average_usd: number;
  readonly both_score: number;
  readonly sure_score: number;
  readonly turnover_score: number;
};

const LEAST_SCORE = 0.5;
const round = (value: number): number => Number(value.toFixed(4));

/** Its states. Who quotes both sides all the time turns sets over too: the farmer's score is cut by that of the maker. */
export function soloStates(wallet: SoloWallet): PatternState[] {
  const turnover = wallet.turnover_score * (1 - wallet.both_score / 100);
  const farming = Math.max(wallet.sure_score, turnover);
  const shared = { wallet: wallet.id, cluster: [] };
  const farmer: PatternState = {
    ...shared,
    pattern: "farmer",
    score: Number(farming.toFixed(2)),
    n: wallet.fills,
    share: round(wallet.sure_share),
    parts: {
      by_sure_entries: wallet.sure_score >= turnover,
      average_entry: round(wallet.average_entry),
      set_events: wallet.sets,
      maker_share: round(wallet.maker_share),
      average_usd: round(wallet.average_usd),
    },
  };
  const bothSides: PatternState = {
    ...shared,
    pattern: "both_sides",
    score: Number(wallet.both_score.toFixed(2)),
    n: wallet.quoted,
    share: round(wallet.two_sided / Math.max(1, wallet.quoted)),
    parts: { quoted: wallet.quoted, two_sided: wallet.two_sided, maker_share: round(wallet.maker_share) },
  };
  return [farmer, bothSides].filter(({ score }) => score >= LEAST_SCORE);
}
