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
