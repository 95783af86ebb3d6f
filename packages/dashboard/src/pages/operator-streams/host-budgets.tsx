import type { ReactElement } from "react";
import type { HostStatus, RouteBudget } from "../../api/streams.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { Badge, Meter } from "../../ui/indicators.tsx";
import { Card } from "../../ui/card.tsx";

const LITTLE = 0.1;

function Route({ name, budget }: { readonly name: string; readonly budget: RouteBudget }): ReactElement {
  const left = Math.max(0, budget.tokens);
  const share = budget.capacity > 0 ? left / budget.capacity : 0;
  const text = `${showFigure(Math.floor(left))} of ${showFigure(Math.round(budget.capacity))} left`;
  return (
    <li>
      <div className="flex justify-between gap-3 text-[13px]">
        <span className="truncate">{name}</span>
        <span className="text-ink-faint tabular-nums">
          {text}
          {budget.factor < 1 ? ` · reduced to ${Math.round(budget.factor * 100)} %` : ""}
        </span>
      </div>
      <Meter
        label={`Budget of ${name}`}
        value={left}
        max={budget.capacity}
        text={text}
        tone={share < LITTLE ? "warn" : "accent"}
      />
    </li>
  );
}

function Host({ name, host }: { readonly name: string; readonly host: HostStatus }): ReactElement {
  const circuit = host.circuit ?? "closed";
  return (
    <Card
      title={name}
      aside={
        <>
          {circuit === "closed" ? null : <Badge tone="bad">circuit {circuit.replace("_", " ")}</Badge>}
          <span className="text-ink-faint">{showFigure(host.waiting)} waiting</span>
        </>
      }
    >
      <ul className="flex flex-col gap-3">
        {Object.entries(host.routes).map(([route, budget]) => (
          <Route key={route} name={route} budget={budget} />
        ))}
      </ul>
      {host.spending === undefined ? null : (
        <p className="mt-3 text-[13px] text-ink-faint">
          Spent on {host.spending.day}: {host.spending.spentUsd} of {host.spending.capUsd} USD
        </p>
      )}
    </Card>
  );
}

/** Rate limit of each host, and how much of it is left now. */
export function HostBudgets({ hosts }: { readonly hosts: Readonly<Record<string, HostStatus>> }): ReactElement {
  const known = Object.entries(hosts).filter(([, host]) => Object.keys(host.routes).length > 0);
  return (
    <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      {known
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([name, host]) => (
          <Host key={name} name={name} host={host} />
        ))}
    </div>
  );
}
