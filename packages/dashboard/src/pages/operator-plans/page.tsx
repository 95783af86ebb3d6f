import { useState, type ReactElement } from "react";
import { useDatasets } from "../../api/datasets.ts";
import { usePlans, type Plan } from "../../api/accounts.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Stat } from "../../ui/indicators.tsx";
import { datasetsOfPlan, printPlanDatasets } from "./plan-form.ts";
import { EditPlanDialog } from "./edit-plan-dialog.tsx";

interface PlanCardProps {
  readonly plan: Plan;
  readonly datasets: readonly Dataset[] | undefined;
  readonly onEdit: () => void;
}

function PlanCard({ plan, datasets, onEdit }: PlanCardProps): ReactElement {
  const given = datasets === undefined ? undefined : datasetsOfPlan(plan.datasets, datasets);
  return (
    <Card
      title={plan.name}
      aside={
        <Button isSmall onClick={onEdit} aria-label={`Edit the plan ${plan.name}`}>
          Edit
        </Button>
      }
    >
      <dl className="grid grid-cols-3 gap-4">
        <Stat label="Requests a minute" value={showFigure(plan.requests_per_minute)} />
        <Stat label="Burst" value={showFigure(plan.burst)} />
        <Stat label="Largest page" value={showFigure(plan.max_page)} />
        <Stat label="Longest list" value={showFigure(plan.max_list)} />
        <Stat label="Concurrent requests" value={showFigure(plan.at_once)} />
        <Stat label="Concurrent, per key" value={showFigure(plan.key_at_once)} />
        <Stat label="Keys" value={showFigure(plan.keys)} />
        <Stat label="Users" value={showFigure(plan.users)} />
      </dl>
      <details className="mt-4 text-sm">
        <summary className="w-fit text-ink-soft">
          {given === undefined ? printPlanDatasets(plan.datasets) : `${given.length} of ${datasets?.length} datasets`}
        </summary>
        <ul className="mt-2 grid max-h-64 grid-cols-1 gap-x-4 gap-y-0.5 overflow-y-auto text-[13px] sm:grid-cols-2">
          {(given ?? []).map((dataset) => (
            <li key={dataset.agent_id} className="flex min-w-0 gap-2">
              <span className="text-ink-faint tabular-nums">{dataset.agent_id}</span>
              <span className="truncate">{dataset.title}</span>
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}

export default function OperatorPlansPage(): ReactElement {
  const plans = usePlans();
  const datasets = useDatasets();
  const [edited, setEdited] = useState<Plan>();
  return (
    <>
      <PageHeader
        title="Plans"
        about="What an account may request, how often and how much at once, shared by all its keys and users."
      />
      {plans.isError ? <ErrorNote error={plans.error} onRetry={() => void plans.refetch()} /> : null}
      {plans.isPending ? <Spinner label="Loading plans" /> : null}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        {plans.data?.plans.map((plan) => (
          <PlanCard key={plan.name} plan={plan} datasets={datasets.data} onEdit={() => setEdited(plan)} />
        ))}
      </div>
      {edited === undefined ? null : (
        <EditPlanDialog
          plan={edited}
          plans={plans.data?.plans ?? []}
          datasets={datasets.data ?? []}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
