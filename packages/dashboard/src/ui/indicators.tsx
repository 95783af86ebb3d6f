import type { ReactElement, ReactNode } from "react";

export type BadgeTone = "good" | "bad" | "warn" | "accent" | "quiet";

const TONES: Readonly<Record<BadgeTone, string>> = {
  good: "bg-up-soft text-up",
  bad: "bg-down-soft text-down",
  warn: "bg-warn-soft text-warn",
  accent: "bg-accent-soft text-accent-strong",
  quiet: "bg-sunken text-ink-soft",
};

/** A state in a word; the colour is redundant. */
export function Badge({ tone = "quiet", children }: { tone?: BadgeTone; children: ReactNode }): ReactElement {
  return (
    <span
      className={`inline-flex max-w-full items-center gap-1 overflow-x-clip rounded-full px-2 py-px text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

interface StatProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}

/** One figure with its name; put several in a <dl>. */
export function Stat({ label, value, note }: StatProps): ReactElement {
  return (
    <div className="min-w-0">
      <dt className="text-[13px] text-ink-faint">{label}</dt>
      <dd className="mt-0.5 font-serif text-2xl leading-tight break-words tabular-nums">{value}</dd>
      {note === undefined ? null : <dd className="mt-0.5 text-[13px] text-ink-faint">{note}</dd>}
    </div>
  );
}

interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** The figure in words, for a screen reader. */
  readonly text: string;
  readonly tone?: keyof typeof METER_TONES;
}

const METER_TONES = { accent: "bg-accent", warn: "bg-warn" } as const;

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
