import type { KalshiEventPlan } from "../kalshi/kalshi-plan.ts";
import type { EventNames } from "../polymarket/name-event.ts";
import type { Rng } from "../core/rng.ts";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";

/** Adds a hostile text after or before a text, or replaces it. */
export function spoilName(text: string, rng: Rng): string {
  const hostile = rng.pick(HOSTILE_TEXTS);
  const turn = rng.unit();
  if (turn < 0.6) return `${text} ${hostile}`;
  return turn < 0.8 ? `${hostile} ${text}` : hostile;
}

/**
 * Makes the texts of a Polymarket event hostile. Slugs stay, and so does the first word of outcomes, which must differ.
 */
export function spoilEventNames(names: EventNames, rng: Rng): EventNames {
  const spoilt = (text: string): string => (text === "" ? "" : spoilName(text, rng));
  return {
    ...names,
    title: spoilt(names.title),
    description: spoilt(names.description),
    tags: names.tags.map((tag, place) => (place === 0 ? tag : `${tag} ${rng.pick(HOSTILE_TEXTS)}`)),
    markets: names.markets.map((market) => ({
      ...market,
      question: spoilt(market.question),
      group: market.group === "" ? "" : `${market.group} ${rng.pick(HOSTILE_TEXTS)}`,
      outcomes: market.outcomes.map((outcome) => `${outcome} ${rng.pick(HOSTILE_TEXTS)}`) as [string, string],
    })),
  };
}

/** Makes the texts of a Kalshi event hostile. Tickers stay. */
export function spoilKalshiPlan(plan: KalshiEventPlan, rng: Rng): KalshiEventPlan {
  return {
    ...plan,
    title: spoilName(plan.title, rng),
    sub_title: spoilName(plan.sub_title, rng),
    markets: plan.markets.map((market) => ({
      ...market,
      title: spoilName(market.title, rng),
      yes_sub_title: spoilName(market.yes_sub_title, rng),
    })),
  };
}
