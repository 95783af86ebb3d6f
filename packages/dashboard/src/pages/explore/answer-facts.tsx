import type { Coverage } from "@almanac/client";
import type { ReactElement } from "react";
import type { Answered } from "../../explore/add-page.ts";
import { groupDecimal } from "../../read/exact-figures.ts";
import { Timestamp } from "../../read/values.tsx";
import { Warnings } from "../../read/answer-notes.tsx";
import { Badge } from "../../ui/indicators.tsx";

/** Maximum number of reasons, and of gaps, that are listed. */
const MAX_LINES = 20;

/** Time, rows, coverage, the filters as applied, and the service's warnings. */
export function AnswerFacts({
  answered,
  wasCancelled,
}: {
  readonly answered: Answered;
  readonly wasCancelled: boolean;
}): ReactElement {
  const { rows, ms, coverage, warnings, last } = answered;
  const { params, requestId, rate } = last;
  return (
    <div className="flex flex-col gap-2 px-5 py-4 text-[13px] text-ink-soft">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong className="text-sm font-semibold text-ink tabular-nums">
          {groupDecimal(String(rows.length))} {rows.length === 1 ? "row" : "rows"}
        </strong>
        <span className="tabular-nums">{Math.round(ms)} ms</span>
        <Badge tone={coverage.complete ? "good" : "warn"}>{coverage.complete ? "complete" : "incomplete"}</Badge>
        {wasCancelled ? <Badge>the next page was cancelled</Badge> : null}
        {rate === undefined ? null : (
          <span className="tabular-nums">{groupDecimal(String(rate.remaining))} requests left now</span>
        )}
        <span className="font-mono text-xs break-all text-ink-faint">{requestId}</span>
      </p>
      <Echo params={params} />
      <Warnings of={warnings} />
      <CoverageLine coverage={coverage} />
    </div>
  );
}

function Echo({ params }: { readonly params: Readonly<Record<string, string>> }): ReactElement | null {
  const entries = Object.entries(params);
  if (entries.length === 0) return <p>No filter was applied.</p>;
  return (
    <ul aria-label="Filters as applied" className="flex flex-wrap gap-1.5">
      {entries.map(([name, text]) => (
        <li key={name} className="max-w-full truncate rounded-md bg-sunken px-2 py-0.5 font-mono text-xs" title={text}>
          {name}={text}
        </li>
      ))}
    </ul>
  );
}

function CoverageLine({ coverage }: { readonly coverage: Coverage }): ReactElement | null {
  const { complete, from, to, gaps, reasons } = coverage;
  const held = (
    <>
      {from === null ? (
        "Stored from the start"
      ) : (
        <>
          Stored from <Timestamp at={from} />
        </>
      )}
      {to === null ? (
        ""
      ) : (
        <>
          {" "}
          to <Timestamp at={to} />
        </>
      )}
      .
    </>
  );
  if (complete) return <p className="text-ink-faint">{held}</p>;
  return (
    <div className="rounded-lg bg-warn-soft px-3 py-2 text-warn">
      <p className="font-medium">Rows that exist upstream may be missing. {held}</p>
      <ul className="mt-1 list-disc pl-5 break-words">
        {reasons.slice(0, MAX_LINES).map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
        {reasons.length > MAX_LINES ? <li>and {reasons.length - MAX_LINES} more reasons</li> : null}
        {gaps.slice(0, MAX_LINES).map((gap) => (
          <li key={`${gap.from} ${gap.to ?? ""} ${gap.reason}`}>
            <Timestamp at={gap.from} /> to {gap.to === null ? "now" : <Timestamp at={gap.to} />}: {gap.reason}
          </li>
        ))}
        {gaps.length > MAX_LINES ? <li>and {gaps.length - MAX_LINES} more gaps</li> : null}
      </ul>
    </div>
  );
}
