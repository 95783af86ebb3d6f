const BETWEEN = " / ";

/** Few come again and again. */
const known = new Map<string, readonly string[]>();

/** A category, its parents and '' for all: "Sports / Tennis" → "", "Sports", "Sports / Tennis". */
export function categoryPaths(category: string): readonly string[] {
  const found = known.get(category);
  if (found) return found;
  const steps = category === "" ? [] : category.split(BETWEEN);
  const paths = ["", ...steps.map((_, index) => steps.slice(0, index + 1).join(BETWEEN))];
  known.set(category, paths);
  return paths;
}
