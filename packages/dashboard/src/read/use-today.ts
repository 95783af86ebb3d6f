import { useSyncExternalStore } from "react";

/** Long enough to cost nothing; after midnight, or a night asleep, a page is wrong for no longer. */
const LOOK_MS = 30_000;

function watchClock(look: () => void): () => void {
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
}

const utcDay = (): string => new Date().toISOString().slice(0, 10);
const localDay = (): string => new Date().toDateString();

/** The UTC day, as YYYY-MM-DD. */
export const useToday = (): string => useSyncExternalStore(watchClock, utcDay);

/** The day in the user's zone, as `toDateString` prints it. */
export const useLocalToday = (): string => useSyncExternalStore(watchClock, localDay);
