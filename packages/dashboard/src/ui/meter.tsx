import type { ReactElement } from "react";

interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** The figure in words, for a screen reader. */
  readonly text: string;
  readonly tone?: "accent" | "warn" | "down";
}

const METER_TONES = { accent: "bg-accent", warn: "bg-warn", down: "bg-down" } as const;

/** A share of a total as a bar. */
export function Meter({ label, value, max, text, tone = "accent" }: MeterProps): ReactElement {
  const share = max <= 0 ? 0 : Math.min(1, Math.max(0, value / max));
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuetext={text}
      className="h-1.5 w-full min-w-16 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
    >
      <div className={`h-full rounded-full ${METER_TONES[tone]}`} style={{ width: `${share * 100}%` }} />
    </div>
  );
}
