import { AsyncLocalStorage } from "node:async_hooks";

/** The question that is being answered. */
export type Question = {
  /** Whose turn it takes at the engine. */
  readonly account: string;
  /** Aborted when nobody waits for the answer any more; absent where it is worked out to the end. */
  readonly waiting?: { readonly signal: AbortSignal };
};

/**
 * Statements are sent from deep inside datasets and derivations, which are not to know of accounts and callers: the
 * question goes along with the work itself.
 */
const current = new AsyncLocalStorage<Question>();

export const NOBODY: Question = { account: "" };

/** The question that this code works for. */
export const questionNow = (): Question => current.getStore() ?? NOBODY;

/** Does a work for a question. */
export const answering = <T>(question: Question, work: () => T): T => current.run(question, work);

/** Does a work whose result others get too: it goes on when the caller of this question is gone. */
export const forOthersToo = <T>(work: () => T): T => current.run({ account: questionNow().account }, work);
