const MOST_AT_ONCE_MS = 5;

/** Long computations that are to go on, the one that waits longest first. */
const waiting: (() => void)[] = [];

/**
 * Works a long computation out beside other work of the process, which is let in between two steps every few milliseconds.
 * However many there are, one of them goes on in a round of the event loop: all others of the process wait for that one alone.
 */
export async function beside<T>(steps: Generator<unknown, T>): Promise<T> {
  for (;;) {
    await nextRound();
    for (const until = performance.now() + MOST_AT_ONCE_MS; performance.now() < until;) {
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

/** What one of them does follows at once; an immediate of now is of the round after. */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/** The same while everything else waits. */
export function atOnce<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
