/** A walk over a whole history has more pages than memory should remember; a shorter circle is still noticed. */
const MAX_KNOWN = 10_000;

/** Tells whether a list has returned a cursor before: a walk that follows it again would never end. */
export function rememberCursors(from: string | undefined): (next: string | undefined) => boolean {
  const known = new Set([from]);
  return (next) => {
    if (next === undefined) return false;
    if (known.has(next)) return true;
    if (known.size >= MAX_KNOWN) known.clear();
    known.add(next);
    return false;
  };
}
