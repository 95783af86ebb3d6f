/** What the `place`-th of `count` gets of a whole number that is shared evenly: the last ones get one more each. */
export function evenPart(whole: number, count: number, place: number): number {
  const rest = ((whole % count) + count) % count;
  return (whole - rest) / count + (place >= count - rest ? 1 : 0);
}
