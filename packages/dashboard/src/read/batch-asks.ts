type Waiting<Value> = {
  readonly key: string;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
};

type Bounds = {
  /** Maximum keys per request. */
  readonly most: number;
  /** Maximum concurrent requests. */
  readonly atOnce: number;
  /** How long keys are collected before they are requested, ms. */
  readonly gatherMs: number;
};

/**
 * Batches requests for single keys: keys requested within `gatherMs` share one request of up to `most` keys, with up to
 * `atOnce` in flight. A key missing from a response gets `none`.
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
