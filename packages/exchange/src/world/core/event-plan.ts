export type EventKind = "binary" | "neg_risk" | "updown" | "sports";

/** Everything about an event that is settled before it begins; drawn once, from the seed. Times are world ms. */
export interface EventPlan {
  number: number;
  kind: EventKind;
  category: string;
  /** Markets of the event; more than one only when neg-risk. */
  questions: number;
  created: number;
  /** Kick-off of a game, first second of an up/down window; else `created`. */
  start: number;
  end: number;
  /** How long after `end` the answer is on chain. */
  answer_after: number;
  disputed: boolean;
  /** Pays 50/50. Never a neg-risk event. */
  voided: boolean;
  fee_rate: number;
  /** Before this there are no fees (V1 exchange). */
  fee_from: number;
  tick: number;
  /** Taker arrivals an hour and a market, before and after `start`. */
  pace: number;
  pace_live: number;
  /** Variance of the logit a day, before and after `start`. */
  variance: number;
  variance_live: number;
  /** Jumps of the logit a day. */
  jumps: number;
  /** First logit of each question. */
  first: number[];
  /** Half spread, 1e-4 USD, and size of a level in shares. */
  spread: number;
  depth: number;
  /** Time constant with which makers learn what is true, ms. */
  lag: number;
  /** How far off their belief is (standard deviation in the logit), and how long an error lasts (time constant, ms). */
  error: number;
  error_memory: number;
  asset: string | null;
  minutes: number;
}
