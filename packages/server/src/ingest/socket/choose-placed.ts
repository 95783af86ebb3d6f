/** By how much of all places a rank may change before a place changes hands. */
const EDGE = 0.2;

/**
 * Those of `wanted` (first ones first) that get one of so many places. Near the end of the places who has one keeps it,
 * so that small changes of rank move nobody.
 */
export function choosePlaced(
  wanted: readonly string[],
  placed: ReadonlySet<string>,
  places: number,
): readonly string[] {
  if (wanted.length <= places) return wanted;
  const sure = Math.floor(places * (1 - EDGE));
  const near = wanted.slice(sure, Math.floor(places * (1 + EDGE)));
  const rest = wanted.slice(sure).filter((instrument) => !placed.has(instrument));
  const kept = near.filter((instrument) => placed.has(instrument));
  return [...wanted.slice(0, sure), ...[...kept, ...rest].slice(0, places - sure)];
}
