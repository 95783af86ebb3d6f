/** Tells whether a list has returned a cursor before: a walk that follows it again would never end. */
export function rememberCursors(from: string | undefined): (next: string | undefined) => boolean {
  const known = new Set([from]);
  return (next) => {
    if (next === undefined) return false;
    if (known.has(next)) return true;
    known.add(next);
    return false;
  };
}
