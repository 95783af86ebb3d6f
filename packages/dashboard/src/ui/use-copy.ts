import { useEffect, useState } from "react";

type CopyState = "idle" | "copied" | "refused";

const SHOWN_MS = 2000;

/** Copies a text. The state says for two seconds whether the browser allowed it: it does not on an http address. */
export function useCopy(text: string): readonly [CopyState, () => void] {
  const [last, setLast] = useState<{ readonly text: string; readonly state: CopyState }>();
  useEffect(() => {
    if (last === undefined) return;
    const timer = setTimeout(() => setLast(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [last]);
  const copy = (): void => {
    if (!("clipboard" in navigator)) return setLast({ text, state: "refused" });
    navigator.clipboard.writeText(text).then(
      () => setLast({ text, state: "copied" }),
      () => setLast({ text, state: "refused" }),
    );
  };
  return [last?.text === text ? last.state : "idle", copy];
}
