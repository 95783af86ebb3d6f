import type { ReactElement } from "react";
import type { UsageLine } from "../../api/usage.ts";
import { showBytes } from "../../read/show-bytes.ts";
import { showFigure } from "../../read/show-figure.ts";
import { Card } from "../../ui/card.tsx";
import { Stat } from "../../ui/stat.tsx";

const sum = (lines: readonly UsageLine[], of: (line: UsageLine) => number): number =>
  lines.reduce((total, line) => total + of(line), 0);

/** The span in four figures. */
export function UsageTotals({ lines }: { readonly lines: readonly UsageLine[] }): ReactElement {
  const requests = sum(lines, (line) => line.requests);
  const unanswered = sum(lines, (line) => (line.status < 400 ? 0 : line.requests));
  const share = requests === 0 ? 0 : (unanswered / requests) * 100;
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Stat label="Requests" value={showFigure(requests)} />
        <Stat
          label="Not answered"
          value={`${share.toFixed(share > 0 && share < 1 ? 2 : 1)} %`}
          note={`${showFigure(unanswered)} refused or failed`}
        />
        <Stat label="Rows" value={showFigure(sum(lines, (line) => line.rows))} />
        <Stat label="Sent" value={showBytes(sum(lines, (line) => line.bytes))} />
      </dl>
    </Card>
  );
}
