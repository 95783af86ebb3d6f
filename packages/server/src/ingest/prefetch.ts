/**
 * Yields the items of `source` in order, and fetches the next one while the previous is processed. When the consumer
 * stops or throws, the pending fetch is awaited and `source` is closed. An error of `source` is thrown in order.
 */
export async function* prefetch<Item>(source: AsyncGenerator<Item, void, void>): AsyncGenerator<Item, void, void> {
  const fetchNext = (): ReturnType<typeof source.next> => {
    const next = source.next();
    // The error is thrown where the item is awaited.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = fetchNext(); ;) {
      const step = await next;
      if (step.done) return;
      next = fetchNext();
      yield step.value;
    }
  } finally {
    await source.return().catch(() => undefined);
  }
}
