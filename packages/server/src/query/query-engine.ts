import { AsyncLocalStorage } from "node:async_hooks";
import { CallerError } from "../definition/errors.ts";
import type { Reading, Store } from "../store/store.ts";
import { FairQueue } from "./fair-queue.ts";
import type { ReadEngine } from "../definition/served-keyed.ts";

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

const DEFAULT_PLACES = 16;
const MAX_WAITING = 512;
const RETRY_SECONDS = 1;

/**
 * The store as used by queries: over separate connections, with a bounded number of concurrent statements, scheduled
 * fairly among accounts, each cancelled in the engine when no client waits for its answer any more.
 */
export function engineOfQuestions(store: Store, places = DEFAULT_PLACES, waiting = MAX_WAITING): Store {
  const turns = new FairQueue({ places, waiting, refusal: () => tooMany(waiting) });
  const withLock = <T>(reading: Reading | undefined, send: (reading: Reading) => Promise<T>): Promise<T> => {
    const { account, waiting: callers } = questionNow();
    const signal = callers?.signal;
    return turns.take(account, signal, () =>
      send({ ...reading, lane: "questions", ...(signal === undefined ? {} : { signal }) }),
    );
  };
  return {
    ...store,
    read: (statement, reading) => withLock(reading, (more) => store.read(statement, more)),
    rows: <T extends Record<string, unknown>>(statement: Parameters<Store["rows"]>[0], reading?: Reading) =>
      withLock(reading, (more) => store.rows<T>(statement, more)),
  };
}

const tooMany = (waiting: number): CallerError =>
  new CallerError(
    "UNAVAILABLE",
    `${waiting} query statements wait for the column engine; wait for your answers, or send fewer requests at once.`,
    { retryAfterSeconds: RETRY_SECONDS },
  );

type Readable = Pick<Store, "rows" | "read">;

const known = new WeakMap<Readable, ReadEngine>();

/** The read functions that datasets use, one object per store, so that they can cache derived data keyed by it. */
export function readEngineOf(store: Readable): ReadEngine {
  const read: ReadEngine = known.get(store) ?? {
    rows: (statement) => store.rows(statement),
    bytes: (statement, format) => store.read(statement, { format }),
  };
  known.set(store, read);
  return read;
}
