import type { ReactElement } from "react";
import { showFigure } from "./show-figure.ts";

type Props = {
  readonly value: unknown;
  readonly unit?: string;
  /** Gains green, losses red. */
  readonly isSigned?: boolean;
};

/** An exact figure; a rounded float shows its full value on hover. */
export function Figure({ value, unit, isSigned = false }: Props): ReactElement {
  const text = showFigure(value);
  const number = Number(value);
  const tone = !isSigned || text === "–" || number === 0 ? "" : number > 0 ? "text-up" : "text-down";
  const isLong = typeof value === "number" && String(value).length > text.length;
  return (
    <span className={`tabular-nums ${tone}`} {...(isLong ? { title: String(value) } : {})}>
      {unit === "$" && text !== "–" ? `${text.startsWith("−") ? "−$" : "$"}${text.replace(/^−/, "")}` : text}
      {unit !== undefined && unit !== "$" && text !== "–" ? <span className="text-ink-faint"> {unit}</span> : null}
    </span>
  );
}
