const STEP: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** The tab that a key moves to among `count` of them; undefined for any other key. */
export function nextTab(
  { key, altKey }: { readonly key: string; readonly altKey: boolean },
  at: number,
  count: number,
): number | undefined {
  // Alt and an arrow go back or forward.
  if (altKey) return undefined;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = STEP[key];
  return step === undefined ? undefined : (at + step + count) % count;
}
