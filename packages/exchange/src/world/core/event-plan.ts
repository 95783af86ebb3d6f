export type EventKind = "binary" | "neg_risk" | "updown" | "sports";

/** Everything about an event that is fixed before it begins; drawn once, from the seed. Times are world ms. */
export interface EventPlan {
  number: number;
  kind: EventKind;
  category: string;
  /** Number of markets of the event; more than one only when neg-risk. */
  questions: number;
  created: number;
  /** Kick-off of a game, first second of an up/down window; else `created`. */
  start: number;
  end: number;
  /** Delay from `end` to the on-chain resolution. */
  answer_after: number;
  disputed: boolean;
  /** Pays 50/50. Never a neg-risk event. */
  voided: boolean;
  fee_rate: number;
  /** No fees before this time (V1 exchange). */
  fee_from: number;
  tick: number;
  /** Taker arrivals per hour and market, before and after `start`. */
  pace: number;
  pace_live: number;
  /** Variance of the logit per day, before and after `start`. */
  variance: number;
  variance_live: number;
  /** Jumps of the logit per day. */
  jumps: number;
  /** Initial logit of each question. */
  first: number[];
  /** Half spread, 1e-4 USD, and size of a level in shares. */
  spread: number;
  depth: number;
  /** Time constant with which makers converge to the truth, ms. */
  lag: number;
  /** Error of their belief (standard deviation in the logit), and its persistence (time constant, ms). */
  error: number;
  error_memory: number;
  asset: string | null;
  minutes: number;
}
