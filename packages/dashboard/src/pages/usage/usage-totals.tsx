import type { ReactElement } from "react";
import type { UsageLine } from "../../api/usage.ts";
import { showBytes } from "../../read/show-bytes.ts";
import { showFigure } from "../../read/show-figure.ts";
import { showSpan } from "../../read/show-span.ts";
import { Card } from "../../ui/card.tsx";
import { Stat } from "../../ui/stat.tsx";

interface UsageTotalsProps {
  readonly total: UsageLine;
  /** null: not known yet. */
  readonly unanswered: number | null;
}

function shareOf(part: number, whole: number): string {
  const share = (part / whole) * 100;
  return `${share === 0 ? "0" : share.toFixed(share < 1 ? 2 : 1)} %`;
}

const inMs = (ms: number | null): string => showSpan(ms === null ? null : ms / 1000);

/** The span in a few figures. */
export function UsageTotals({ total, unanswered }: UsageTotalsProps): ReactElement {
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-5">
        <Stat label="Requests" value={showFigure(total.requests)} />
        <Stat
          label="Not answered"
          value={unanswered === null ? "–" : shareOf(unanswered, total.requests)}
          note={unanswered === null ? undefined : `${showFigure(unanswered)} refused or failed`}
        />
        <Stat label="Rows" value={showFigure(total.rows)} />
        <Stat label="Sent" value={showBytes(total.bytes)} />
        <Stat label="Half within" value={inMs(total.ms_p50)} note={`95 % within ${inMs(total.ms_p95)}`} />
      </dl>
    </Card>
  );
}
