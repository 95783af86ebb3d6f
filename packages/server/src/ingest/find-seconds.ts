/** A look-up of what is to be worked out reads as much as a statement that writes, and is bounded like one. */
export const FIND_SECONDS = 600;
