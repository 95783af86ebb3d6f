import { AsyncLocalStorage } from "node:async_hooks";

/** The query being answered. */
export type Question = {
  /** Account whose share of the engine's time it uses. */
  readonly account: string;
  /** Aborted when no client waits for the answer any more; absent if it must run to the end. */
  readonly waiting?: { readonly signal: AbortSignal };
};

/**
 * Statements are sent from deep inside datasets and derivations, which must not know of accounts and callers, so the
 * query travels in async context.
 */
const current = new AsyncLocalStorage<Question>();

export const NOBODY: Question = { account: "" };

/** The query for which the current code runs. */
export const questionNow = (): Question => current.getStore() ?? NOBODY;

/** Runs work on behalf of a query. */
export const answering = <T>(question: Question, work: () => T): T => current.run(question, work);

/** Runs work whose result is shared: it continues when this query's caller has disconnected. */
export const forOthersToo = <T>(work: () => T): T => current.run({ account: questionNow().account }, work);
