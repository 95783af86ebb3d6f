/**
 * What `source` yields, in its order, the next of it asked for while the one before is worked on. Where the reader leaves,
 * or fails, `source` is left too once it has what it was asked for. A failure of `source` comes in its turn.
 */
export async function* oneAhead<Item>(source: AsyncGenerator<Item, void, void>): AsyncGenerator<Item, void, void> {
  const ask = (): ReturnType<typeof source.next> => {
    const next = source.next();
    // It is thrown where it is waited for.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = ask(); ;) {
      const step = await next;
      if (step.done) return;
      next = ask();
      yield step.value;
    }
  } finally {
    await source.return().catch(() => undefined);
  }
}
