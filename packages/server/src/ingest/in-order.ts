/** Sorts items after those that they wait for. Throws TypeError if they wait for each other. */
export function inOrder<Item>(items: readonly Item[], waitsFor: (one: Item, other: Item) => boolean): Item[] {
  const rest = new Set(items);
  const sorted: Item[] = [];
  while (rest.size > 0) {
    const next = [...rest].find((one) => ![...rest].some((other) => other !== one && waitsFor(one, other)));
    if (next === undefined) throw new TypeError("derivations depend on each other");
    sorted.push(next);
    rest.delete(next);
  }
  return sorted;
}
