/** Two wallets that belong together, as texts. */
export type Tie = { readonly a: string; readonly b: string };

/** Wallet → its cluster's wallets in ascending order, for all wallets with a tie; by union and find. */
export function findClusters(ties: readonly Tie[]): ReadonlyMap<string, readonly string[]> {
  const parents = new Map<string, string>();
  const rootOf = (wallet: string): string => {
    let root = wallet;
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root)) root = next;
    for (let at = wallet; at !== root;) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    if (!parents.has(root)) parents.set(root, root);
    return root;
  };
  for (const { a, b } of ties) {
    const [first, second] = [rootOf(a), rootOf(b)];
    if (first !== second) parents.set(first < second ? second : first, first < second ? first : second);
  }
  const members = Map.groupBy([...parents.keys()].sort(), rootOf);
  return new Map([...members.values()].flatMap((wallets) => wallets.map((wallet) => [wallet, wallets] as const)));
}
