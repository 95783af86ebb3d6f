import type { Coverage } from "@almanac/client";
import type { ReactElement } from "react";
import { Timestamp } from "./timestamp.tsx";

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
