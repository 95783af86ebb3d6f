import { closest, distance } from "fastest-levenshtein";

const LONGEST = 64;
/** A third of a name's letters may differ, or two of a short name, as in sied for side. */
const differing = (length: number): number => Math.max(length > 3 ? 2 : 1, length / 3);

/** The known name that a caller most likely meant; undefined if none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const text = name.slice(0, LONGEST).toLowerCase();
  // A part of a name, such as wallet for proxy_wallet, is close however long the rest is.
  const part = known.find((one) => text.length > 2 && one.split("_").includes(text));
  if (part !== undefined) return part;
  const nearest = closest(text, [...known]);
  return distance(text, nearest) <= differing(Math.max(text.length, nearest.length)) ? nearest : undefined;
}
