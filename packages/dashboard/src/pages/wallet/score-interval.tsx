import type { ReactElement } from "react";
import { toPixelNumber } from "../../read/to-pixel-number.ts";

type Props = { readonly low: string; readonly score: string; readonly high: string };

/** A score on its scale, with the interval in which it may as well lie. */
export function ScoreInterval({ low, score, high }: Props): ReactElement {
  const [from, at, to] = [low, score, high].map((text) => Math.min(100, Math.max(0, toPixelNumber(text) ?? 0)));
  return (
    <div>
      <div aria-hidden="true" className="relative h-3 rounded-full bg-sunken">
        <div
          className="absolute h-full rounded-full bg-accent-soft"
          style={{ left: `${from}%`, width: `${(to ?? 0) - (from ?? 0)}%` }}
        />
        <div className="absolute -top-0.5 h-4 w-1 -translate-x-1/2 rounded bg-accent" style={{ left: `${at}%` }} />
      </div>
      <p className="mt-1 text-[13px] text-ink-faint tabular-nums">
        90 % of samples lie from {low} to {high}
      </p>
    </div>
  );
}
