import type { KalshiEventPlan } from "./kalshi-plan.ts";

const LEAST_WAIT_MS = 30 * 60_000;

/** Is the result of an event disputed before it is settled? One in twenty of those that are not settled within half an hour. */
export function isDisputed(plan: KalshiEventPlan): boolean {
  return plan.settle_after >= LEAST_WAIT_MS && plan.number % 20 === 7;
}
