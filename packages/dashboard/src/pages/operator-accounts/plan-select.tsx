import type { ReactElement } from "react";
import { usePlans } from "../../api/plans.ts";
import { showFigure } from "../../read/show-figure.ts";
import { Select } from "../../ui/select.tsx";

interface PlanSelectProps {
  readonly value: string;
  readonly onChange: (plan: string) => void;
  readonly error?: string | undefined;
}

export function PlanSelect({ value, onChange, error }: PlanSelectProps): ReactElement {
  const plans = usePlans();
  const known = plans.data?.plans ?? [];
  const choices =
    known.length === 0
      ? [{ value, label: value }]
      : known.map((plan) => ({
          value: plan.name,
          label: `${plan.name} (${showFigure(plan.requests_per_minute)} requests a minute)`,
        }));
  return (
    <Select
      label="Plan"
      value={value}
      onChange={onChange}
      choices={choices}
      error={error ?? (plans.isError ? plans.error.message : undefined)}
    />
  );
}
