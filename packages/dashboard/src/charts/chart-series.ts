/** One line, area or set of bars over the x values of its chart. */
export type ChartSeries = {
  readonly label: string;
  /** Drawn values; null is a gap. */
  readonly values: readonly (number | null)[];
  /** The exact texts for the readout and the table; `values` printed if absent. */
  readonly texts?: readonly (string | null)[];
  /** Steps hold their value up to the next point (after) or since the last one (before). */
  readonly kind?: "line" | "area" | "bars" | "steps-after" | "steps-before";
  readonly color?: ChartColor;
};

/** A colour by its meaning; the theme defines how it looks. */
export type ChartColor = "1" | "2" | "3" | "4" | "5" | "6" | "up" | "down" | "muted";
