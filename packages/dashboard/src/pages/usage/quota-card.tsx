import type { ReactElement } from "react";
import { useKeysOf } from "../../api/keys.ts";
import { useQuota, type Quota } from "../../api/usage.ts";
import { useSession } from "../../app/session-context.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { Meter } from "../../ui/indicators.tsx";

type Room = Quota["room"]["keys"];

function RoomFact({ used, most }: Room): ReactElement {
  return (
    <span className={used < most ? "" : "text-warn"}>
      {showFigure(used)} of {showFigure(most)}
    </span>
  );
}

/** The plan's limits for the account, and how much of them is used. */
function PlanFacts({ quota }: { readonly quota: Quota }): ReactElement {
  const { room } = quota;
  const facts = [
    { name: "Active keys", fact: <RoomFact {...room.keys} /> },
    { name: "Users", fact: <RoomFact {...room.users} /> },
    {
      name: "Requests a minute",
      fact: `${showFigure(quota.requests_per_minute)}, burst ${showFigure(quota.burst)}`,
    },
    {
      name: "Concurrent requests",
      fact: `${showFigure(quota.at_once)}, ${showFigure(quota.key_at_once)} per key`,
    },
    { name: "Largest page", fact: `${showFigure(quota.max_page)} rows` },
    { name: "Longest list", fact: `${showFigure(quota.max_list)} items` },
  ];
  return (
    <dl className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-x-8 gap-y-1 border-t border-line pt-3 text-[13px]">
      {facts.map(({ name, fact }) => (
        <div key={name} className="flex min-w-0 justify-between gap-3">
          <dt className="text-ink-faint">{name}</dt>
          <dd className="text-right tabular-nums">{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

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

/** Remaining burst of the account and of each key, now; and the plan's limits. */
export function QuotaCard(): ReactElement {
  const quota = useQuota();
  const keys = useKeysOf(useSession().account.id);
  const shown = quota.data;
  const about =
    shown === undefined
      ? undefined
      : `Plan ${shown.plan}. All keys, and users in the explorer, share the account's requests: more keys do not raise the limit.`;
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
