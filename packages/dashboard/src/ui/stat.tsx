import type { ReactElement, ReactNode } from "react";

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
