import { useLayoutEffect, useSyncExternalStore } from "react";
import { useBeforeUnload, useBlocker } from "react-router";

let holds = 0;
const watchers = new Set<() => void>();

function change(by: 1 | -1): void {
  holds += by;
  for (const watcher of watchers) watcher();
}

/** Stays on the page when the user goes back or the session ends; before a reload or another site the browser asks. */
export function PageHold(): null {
  useBlocker(true);
  useBeforeUnload((event) => event.preventDefault());
  useLayoutEffect(() => {
    change(1);
    return () => change(-1);
  }, []);
  return null;
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

/** Whether the page shows something that must be read first. */
export const useIsPageHeld = (): boolean => useSyncExternalStore(watch, () => holds > 0);
