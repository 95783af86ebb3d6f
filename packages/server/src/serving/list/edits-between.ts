/**
 * Returns the number of edits between two words: a letter inserted, deleted or replaced, or two neighbours swapped,
 * neither of which is edited again (optimal string alignment).
 */
export function editsBetween(one: string, other: string): number {
  const width = other.length + 1;
  let [before, above] = [new Uint16Array(width), Uint16Array.from({ length: width }, (_, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const here = new Uint16Array(width);
    here[0] = row;
    const letter = one.charCodeAt(row - 1);
    for (let at = 1; at < width; at += 1) {
      const facing = other.charCodeAt(at - 1);
      let least = (above[at - 1] as number) + (letter === facing ? 0 : 1);
      least = Math.min(least, (above[at] as number) + 1, (here[at - 1] as number) + 1);
      const isSwapped = row > 1 && at > 1 && letter === other.charCodeAt(at - 2) && one.charCodeAt(row - 2) === facing;
      here[at] = isSwapped ? Math.min(least, (before[at - 2] as number) + 1) : least;
    }
    [before, above] = [above, here];
  }
  return above[other.length] as number;
}
