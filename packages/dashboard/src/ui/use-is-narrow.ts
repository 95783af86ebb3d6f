import { useSyncExternalStore } from "react";

const NARROW = "(max-width: 639px)";

function subscribe(onChange: () => void): () => void {
  const media = matchMedia(NARROW);
  media.addEventListener("change", onChange);
  return () => media.removeEventListener("change", onChange);
}

/** A phone's width. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
}
