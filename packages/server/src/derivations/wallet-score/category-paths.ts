const BETWEEN = " / ";

/** A category, its parents and '' for all: "Sports / Tennis" → "", "Sports", "Sports / Tennis". */
export function categoryPaths(category: string): string[] {
  if (category === "") return [""];
  const steps = category.split(BETWEEN);
  return ["", ...steps.map((_, index) => steps.slice(0, index + 1).join(BETWEEN))];
}
