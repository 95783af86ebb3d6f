const MAX_AT_ONCE_MS = 5;

/** Long computations that are ready to continue, the longest-waiting first. */
const waiting: (() => void)[] = [];

/**
 * Runs a long computation in slices of a few milliseconds, yielding to the event loop between them. However many run
 * concurrently, only one advances per round of the event loop, so other work waits for one slice at most.
 */
export async function beside<T>(steps: Generator<unknown, T>): Promise<T> {
  for (;;) {
    await nextRound();
    for (const until = performance.now() + MAX_AT_ONCE_MS; performance.now() < until;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }
}

function nextRound(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });
}

/** The resumed computation runs immediately (as a microtask); the next immediate falls in the following round. */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/** Runs the same computation synchronously, blocking everything else. */
export function atOnce<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Queues a task: tasks start in the order requested; the promise settles as the task does. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Queues a task for each item. After a failure no further task starts; the first error is thrown once the running ones
 * have ended.
 */
export async function eachInTurn<T>(
  all: readonly T[],
  withLock: InTurn,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const attempt = async (one: T): Promise<void> => {
    if (failures.length > 0) return;
    await work(one).catch((error: unknown) => void failures.push(error));
  };
  await Promise.all(all.map((one) => withLock(() => attempt(one))));
  if (failures.length > 0) throw failures[0];
}

/** Resolves to the promise's value, or throws `late()` after `milliseconds`; the promise itself is not cancelled. */
export async function inTime<T>(promise: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
