import type { ReactElement } from "react";
import { useKeys } from "../../api/keys.ts";
import { useQuota } from "../../api/quota.ts";
import { showFigure } from "../../read/show-figure.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Spinner } from "../../ui/spinner.tsx";

const LITTLE = 0.1;

/** What each key may still ask at once, now. */
export function QuotaCard(): ReactElement {
  const quota = useQuota();
  const keys = useKeys();
  const shown = quota.data;
  const about =
    shown === undefined
      ? undefined
      : `Plan ${shown.plan}: ${showFigure(shown.requests_per_minute)} requests a minute, ${showFigure(shown.burst)} at once, pages of ${showFigure(shown.max_page)} rows.`;
  return (
    <Card title="Quota left" about={about}>
      {quota.isError ? <ErrorNote error={quota.error} onRetry={() => void quota.refetch()} /> : null}
      {quota.isPending ? <Spinner label="Loading the quota" /> : null}
      {shown === undefined ? null : shown.keys.length === 0 ? (
        <p className="text-sm text-ink-faint">No active key. Each key has an allowance of its own.</p>
      ) : (
        <ul className="flex max-h-56 flex-col gap-3 overflow-y-auto">
          {shown.keys.map((one) => {
            const name = keys.data?.keys.find(({ id }) => id === one.id)?.name ?? one.id;
            const text = `${showFigure(Math.floor(one.remaining))} of ${showFigure(shown.burst)}`;
            return (
              <li key={one.id}>
                <div className="mb-1 flex justify-between gap-3 text-[13px]">
                  <span className="truncate">{name}</span>
                  <span className="whitespace-nowrap text-ink-faint tabular-nums">
                    {text}
                    {one.reset_seconds > 0 ? ` · full in ${Math.ceil(one.reset_seconds)} s` : ""}
                  </span>
                </div>
                <Meter
                  label={`Quota left of ${name}`}
                  value={one.remaining}
                  max={shown.burst}
                  text={text}
                  tone={one.remaining < shown.burst * LITTLE ? "warn" : "accent"}
                />
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
