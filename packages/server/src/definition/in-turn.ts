/** Begins a work when its turn comes, in the order asked, and ends as it does. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Does a work with each of these, as their turns come. After one that fails none is begun any more; its error is thrown
 * once those under way have ended.
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
