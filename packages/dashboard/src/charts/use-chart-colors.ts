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

/** The theme's colours as a canvas wants them: plain colour values. */
export type ChartColors = Readonly<Record<keyof typeof TOKENS, string>>;

let known: { readonly key: string; readonly colors: ChartColors } | undefined;

/** The same object as long as the colours are the same, so that charts are drawn anew only when they change. */
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

/** Colours of charts in the theme that is shown now. */
export function useChartColors(): ChartColors {
  return useSyncExternalStore(subscribe, readColors);
}
