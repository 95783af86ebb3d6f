/** Seconds nearer than this to each other are one span. */
const NEAR_SECONDS = 60;
/** Beyond this many, the last one takes in the rest. */
const MOST_SPANS = 20;

/** The stretches of time that hold these seconds, each with its first and its last, in order. */
export function toSpans(seconds: readonly number[]): { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const second of seconds.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last !== undefined && (second - last.to <= NEAR_SECONDS || spans.length >= MOST_SPANS)) last.to = second;
    else spans.push({ from: second, to: second });
  }
  return spans;
}
