import { CallerError } from "../definition/errors.ts";
import type { Reading, Store } from "../store/store.ts";
import { questionNow } from "./question.ts";
import { Turns } from "./turns.ts";

const DEFAULT_PLACES = 16;
const MAX_WAITING = 512;
const RETRY_SECONDS = 1;

/**
 * The store as used by queries: over separate connections, with a bounded number of concurrent statements, scheduled
 * fairly among accounts, each cancelled in the engine when no client waits for its answer any more.
 */
export function engineOfQuestions(store: Store, places = DEFAULT_PLACES, waiting = MAX_WAITING): Store {
  const turns = new Turns({ places, waiting, refusal: () => tooMany(waiting) });
  const inTurn = <T>(reading: Reading | undefined, send: (reading: Reading) => Promise<T>): Promise<T> => {
    const { account, waiting: callers } = questionNow();
    const signal = callers?.signal;
    return turns.take(account, signal, () =>
      send({ ...reading, lane: "questions", ...(signal === undefined ? {} : { signal }) }),
    );
  };
  return {
    ...store,
    read: (statement, reading) => inTurn(reading, (more) => store.read(statement, more)),
    rows: <T extends Record<string, unknown>>(statement: Parameters<Store["rows"]>[0], reading?: Reading) =>
      inTurn(reading, (more) => store.rows<T>(statement, more)),
  };
}

const tooMany = (waiting: number): CallerError =>
  new CallerError(
    "UNAVAILABLE",
    `${waiting} query statements wait for the column engine; wait for your answers, or send fewer requests at once.`,
    { retryAfterSeconds: RETRY_SECONDS },
  );
