/** Looking up what to derive reads as much as a statement that writes, so it has the same time limit. */
export const FIND_SECONDS = 600;
