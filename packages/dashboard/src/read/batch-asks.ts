type Waiting<Value> = {
  readonly key: string;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
};

type Bounds = {
  /** Keys in one ask. */
  readonly most: number;
  /** Asks under way at once. */
  readonly atOnce: number;
  /** How long keys are gathered before they are asked for. */
  readonly gatherMs: number;
};

/**
 * Asks for single keys together: what is asked for within a moment goes in one ask of up to `most` keys, with up to
 * `atOnce` under way. A key that an answer lacks gets `none`.
 */
export function batchAsks<Value>(
  askMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  none: Value,
  { most, atOnce, gatherMs }: Bounds,
): (key: string) => Promise<Value> {
  let waiting: Waiting<Value>[] = [];
  let underWay = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const run = async (batch: readonly Waiting<Value>[]): Promise<void> => {
    underWay += 1;
    try {
      const found = await askMany([...new Set(batch.map(({ key }) => key))]);
      for (const { key, resolve } of batch) resolve(found.get(key) ?? none);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      underWay -= 1;
      start();
    }
  };
  const start = (): void => {
    if (underWay >= atOnce || waiting.length === 0) return;
    const batch = waiting.slice(0, most);
    waiting = waiting.slice(most);
    void run(batch);
    start();
  };
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      timer ??= setTimeout(() => {
        timer = undefined;
        start();
      }, gatherMs);
    });
}
