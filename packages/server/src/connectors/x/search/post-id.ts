/** Ids hold the moment of the post, in milliseconds from here, above 22 bits. */
const EPOCH_MS = 1_288_834_974_657n;

/** The lowest id that a post of that moment (Unix ms) can have. */
export function idAt(moment: number): bigint {
  const since = BigInt(Math.trunc(moment)) - EPOCH_MS;
  return since > 0n ? since << 22n : 0n;
}
