/** The tree of what is told of the rows as a whole. */
export const META = "meta";
