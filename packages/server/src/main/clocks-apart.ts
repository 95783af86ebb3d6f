/** So far apart (ms) the clocks of processes, rows and records may be: moments of theirs are compared with each other. */
export const CLOCKS_APART_MS = 2000;
