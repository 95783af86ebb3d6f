/** Queues a task: tasks start in the order requested; the promise settles as the task does. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Queues a task for each item. After a failure no further task starts; the first error is thrown once the running ones
 * have ended.
 */
export async function eachInTurn<T>(all: readonly T[], inTurn: InTurn, work: (one: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  const attempt = async (one: T): Promise<void> => {
    if (failures.length > 0) return;
    await work(one).catch((error: unknown) => void failures.push(error));
  };
  await Promise.all(all.map((one) => inTurn(() => attempt(one))));
  if (failures.length > 0) throw failures[0];
}
