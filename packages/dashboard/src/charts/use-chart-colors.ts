import { useSyncExternalStore } from "react";

const TOKENS = {
  "1": "--chart-1",
  "2": "--chart-2",
  "3": "--chart-3",
  "4": "--chart-4",
  "5": "--chart-5",
  "6": "--chart-6",
  up: "--up",
  down: "--down",
  muted: "--line-strong",
  grid: "--chart-grid",
  text: "--ink-faint",
  surface: "--surface",
} as const;

/** The theme's colours as plain colour values, which a canvas needs. */
export type ChartColors = Readonly<Record<keyof typeof TOKENS, string>>;

let known: { readonly key: string; readonly colors: ChartColors } | undefined;

/** Returns the same object while the colours are unchanged, so that charts are redrawn only on change. */
function readColors(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  const read = Object.entries(TOKENS).map(([name, token]) => [name, style.getPropertyValue(token).trim()] as const);
  const key = read.map(([, value]) => value).join("|");
  if (known?.key !== key) known = { key, colors: Object.fromEntries(read) as ChartColors };
  return known.colors;
}

function subscribe(onChange: () => void): () => void {
  const theme = new MutationObserver(onChange);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => theme.disconnect();
}

/** Chart colours of the current theme. */
export function useChartColors(): ChartColors {
  return useSyncExternalStore(subscribe, readColors);
}
