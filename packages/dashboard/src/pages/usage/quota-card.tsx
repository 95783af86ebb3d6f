import type { ReactElement } from "react";
import { useKeysOf } from "../../api/keys.ts";
import { useQuota, type Quota } from "../../api/quota.ts";
import { useSession } from "../../app/session-context.ts";
import { showFigure } from "../../read/show-figure.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { PlanFacts } from "./plan-facts.tsx";

const LITTLE = 0.1;

interface QuotaLineProps {
  readonly name: string;
  readonly left: Quota["explorer"];
}

function QuotaLine({ name, left }: QuotaLineProps): ReactElement {
  const { burst } = left;
  const text = `${showFigure(Math.floor(left.remaining))} of ${showFigure(burst)}`;
  return (
    <li>
      <div className="mb-1 flex justify-between gap-3 text-[13px]">
        <span className="truncate">{name}</span>
        <span className="whitespace-nowrap text-ink-faint tabular-nums">
          {text}
          {left.reset_seconds > 0 ? ` · full in ${Math.ceil(left.reset_seconds)} s` : ""}
        </span>
      </div>
      <Meter
        label={`Quota left: ${name}`}
        value={left.remaining}
        max={burst}
        text={text}
        tone={left.remaining < burst * LITTLE ? "warn" : "accent"}
      />
    </li>
  );
}

/** What the account may still ask at once, now, and each key of it; and what its plan gives. */
export function QuotaCard(): ReactElement {
  const quota = useQuota();
  const keys = useKeysOf(useSession().account.id);
  const shown = quota.data;
  const about =
    shown === undefined
      ? undefined
      : `Plan ${shown.plan}. All keys, and users in the explorer, share the account's requests: more keys are not more requests.`;
  return (
    <Card title="Quota left" about={about}>
      {quota.isError ? <ErrorNote error={quota.error} onRetry={() => void quota.refetch()} /> : null}
      {quota.isPending ? <Spinner label="Loading the quota" /> : null}
      {shown === undefined ? null : (
        <>
          <div role="region" aria-label="Quota by key" tabIndex={0} className="max-h-56 overflow-y-auto">
            <ul className="flex flex-col gap-3">
              <QuotaLine name="The whole account" left={shown.explorer} />
              {shown.keys.map((left) => (
                <QuotaLine
                  key={left.id}
                  name={keys.data?.find(({ id }) => id === left.id)?.name ?? left.id}
                  left={left}
                />
              ))}
            </ul>
          </div>
          <PlanFacts quota={shown} />
        </>
      )}
    </Card>
  );
}
