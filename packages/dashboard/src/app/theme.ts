import { useCallback, useEffect, useState } from "react";

export type ThemeChoice = "system" | "light" | "dark";

const KEPT_AS = "almanac.theme";
const DARK = "(prefers-color-scheme: dark)";

export const THEME_CHANGED = "almanac:theme";

function readChoice(): ThemeChoice {
  try {
    const kept = localStorage.getItem(KEPT_AS);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}

function keepChoice(choice: ThemeChoice): void {
  try {
    if (choice === "system") localStorage.removeItem(KEPT_AS);
    else localStorage.setItem(KEPT_AS, choice);
  } catch {
    // A browser that keeps nothing still shows the choice until the page is left.
  }
}

function show(choice: ThemeChoice): void {
  const theme = choice === "system" ? (matchMedia(DARK).matches ? "dark" : "light") : choice;
  if (document.documentElement.dataset["theme"] === theme) return;
  document.documentElement.dataset["theme"] = theme;
  document.dispatchEvent(new CustomEvent(THEME_CHANGED, { detail: theme }));
}

/** The reader's choice and a way to change it. Charts listen to `almanac:theme` on the document to draw again. */
export function useTheme(): readonly [ThemeChoice, (choice: ThemeChoice) => void] {
  const [choice, setChoice] = useState(readChoice);
  useEffect(() => {
    show(choice);
    const media = matchMedia(DARK);
    const follow = (): void => show(choice);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [choice]);
  const choose = useCallback((next: ThemeChoice) => {
    keepChoice(next);
    setChoice(next);
  }, []);
  return [choice, choose];
}
