const PAGE = 10;

/** The point that a key moves to among `count` of them; undefined for any other key. */
export function nextIndex(
  { key, altKey }: { readonly key: string; readonly altKey: boolean },
  at: number | null,
  count: number,
): number | null | undefined {
  // Alt and an arrow go back or forward.
  if (count === 0 || altKey) return undefined;
  const last = count - 1;
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, (at ?? count) - 1);
    case "ArrowRight":
      return at === null ? 0 : Math.min(last, at + 1);
    case "PageUp":
      return Math.max(0, (at ?? count) - PAGE);
    case "PageDown":
      return at === null ? 0 : Math.min(last, at + PAGE);
    case "Home":
      return 0;
    case "End":
      return last;
    case "Escape":
      return null;
    default:
      return undefined;
  }
}
