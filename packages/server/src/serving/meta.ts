/** The tree of data about the rows as a whole. */
export const META = "meta";
