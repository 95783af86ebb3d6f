import type { ReactElement } from "react";

/** Drawn on 20 by 20, in strokes, so that they take the colour of the surrounding text. */
const PATHS = {
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 1.8v1.7M10 16.5v1.7M1.8 10h1.7M16.5 10h1.7M4.2 4.2l1.2 1.2M14.6 14.6l1.2 1.2M4.2 15.8l1.2-1.2M14.6 5.4l1.2-1.2",
  moon: "M16.5 11.7A7 7 0 1 1 8.3 3.5a5.6 5.6 0 0 0 8.2 8.2z",
  screen: "M2.5 4h15v9.5h-15zM7 17h6M10 13.5V17",
  compass: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M13 7l-1.7 4.3L7 13l1.7-4.3z",
  key: "M12.8 2.5a4.7 4.7 0 0 0-4.5 6.1L2.5 14.4v3.1h3.1v-2h2v-2h1.9l1.9-1.9a4.7 4.7 0 1 0 1.4-9.1M13.8 6.2h.01",
  chart: "M2.5 17.5h15M5 14v-4M10 14V4M15 14V8",
  line: "M2.5 14.5l4.5-5 3.5 3 7-8M13 4.5h4.5V9",
  people:
    "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2 16.5c0-2.8 2.4-4.5 5.5-4.5s5.5 1.7 5.5 4.5M13 3.8a3 3 0 0 1 0 5.4M15 12.3c1.8.7 3 2.1 3 4.2",
  scroll: "M5 2.5h8.5v12a3 3 0 0 0 3 3H7a2 2 0 0 1-2-2zM8 6.5h3M8 9.5h3M16.5 17.5a2 2 0 0 0 2-2v-1h-5",
  stream: "M2.5 6c2.5-2 5-2 7.5 0s5 2 7.5 0M2.5 10c2.5-2 5-2 7.5 0s5 2 7.5 0M2.5 14c2.5-2 5-2 7.5 0s5 2 7.5 0",
  store:
    "M3 5.5C3 3.8 6.1 2.5 10 2.5s7 1.3 7 3-3.1 3-7 3-7-1.3-7-3M3 5.5v9c0 1.7 3.1 3 7 3s7-1.3 7-3v-9M3 10c0 1.7 3.1 3 7 3s7-1.3 7-3",
  parked: "M4 2.5h8l4 4v11H4zM12 2.5v4h4M10 9v3.5M10 15h.01",
  building: "M4 17.5v-15h8v15M12 8h4.5v9.5M2 17.5h16M7 6h2M7 9.5h2M7 13h2",
  plan: "M10 2.5l7.5 3.8L10 10 2.5 6.3zM2.5 10l7.5 3.8 7.5-3.8M2.5 13.7l7.5 3.8 7.5-3.8",
  trophy:
    "M6 2.5h8v5a4 4 0 0 1-8 0zM6 4H3c0 3 1 4.5 3.3 4.8M14 4h3c0 3-1 4.5-3.3 4.8M10 11.5v3M6.5 17.5h7M8 17.5c0-2 .5-3 2-3s2 1 2 3",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  cross: "M5 5l10 10M15 5L5 15",
  tick: "M4 10.5l4 4 8-9",
  copy: "M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z",
  out: "M8 3.5H3.5v13H8M8 10h9M13.5 6.5L17 10l-3.5 3.5",
  plus: "M10 4v12M4 10h12",
  search: "M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M13 13l4.5 4.5",
  up: "M10 16V4M5 9l5-5 5 5",
  down: "M10 4v12M5 11l5 5 5-5",
  chevron: "M5 7.5l5 5 5-5",
  right: "M7.5 4.5L13 10l-5.5 5.5",
  alert: "M10 3L2 17h16zM10 8.5V12M10 14.5h.01",
  refresh: "M16.5 10a6.5 6.5 0 1 1-2-4.7M16.5 2.8v3.5H13",
  download: "M10 3v9.5M5.5 8.5L10 13l4.5-4.5M3.5 16.5h13",
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration only: its meaning is in the text next to it. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }): ReactElement {
  return (
    <svg
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
