import { RecordsError } from "./records-error.ts";

/** Admits a bounded number of holders at a time, in order of arrival. */
export type Semaphore = {
  /** Resolves, when admitted, to the function that admits the next one. Throws RecordsError "busy" after the wait. */
  readonly acquire: (waitMs: number) => Promise<() => void>;
};

export function openSemaphore(places = 1): Semaphore {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  };
  return {
    acquire: async (waitMs) => {
      if (taken < places) {
        taken += 1;
        return once(release);
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const turn = (): void => {
        clearTimeout(timer);
        resolve(once(release));
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(new RecordsError("busy", `the control records were busy for ${waitMs / 1000} s`));
      }, waitMs);
      waiting.push(turn);
      return await promise;
    },
  };
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    run();
  };
}
