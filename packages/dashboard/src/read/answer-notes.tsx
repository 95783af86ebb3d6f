import type { Coverage } from "@almanac/client";
import type { ReactElement } from "react";
import { Timestamp } from "./values.tsx";

/** Why a response may lack rows that exist upstream; empty if it is complete. */
export function CoverageNote({ coverage }: { readonly coverage: Coverage }): ReactElement | null {
  if (coverage.complete) return null;
  const { reasons, gaps, from, to } = coverage;
  return (
    <details className="mt-3 text-[13px] text-ink-soft">
      <summary className="w-fit">
        <span className="font-medium text-warn">Incomplete</span>: rows may be missing
        {reasons.length > 0 ? ` (${reasons.length} ${reasons.length === 1 ? "reason" : "reasons"})` : ""}
      </summary>
      <ul className="mt-1 list-disc space-y-0.5 pl-5">
        {from !== null || to !== null ? (
          <li>
            Complete from <Timestamp at={from} /> to <Timestamp at={to} />.
          </li>
        ) : null}
        {reasons.map((reason) => (
          <li key={reason} className="break-words [overflow-wrap:anywhere]">
            {reason}
          </li>
        ))}
        {gaps.map((gap) => (
          <li key={`${gap.from} ${gap.to} ${gap.reason}`}>
            Gap from <Timestamp at={gap.from} /> to {gap.to === null ? "now" : <Timestamp at={gap.to} />}: {gap.reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The warnings of a response; empty if there are none. */
export function Warnings({ of }: { readonly of: readonly string[] }): ReactElement | null {
  if (of.length === 0) return null;
  return (
    <ul className="list-disc rounded-lg bg-warn-soft py-2 pr-3 pl-7 text-[13px] text-warn">
      {of.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}
