import { useState, type ReactElement } from "react";
import { problemOf } from "../../api/problem-of.ts";
import { useEditPlan, type Plan } from "../../api/plans.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { datasetsOfPlan, parsePlanDatasets, printPlanDatasets, unknownPart } from "./datasets-of-plan.ts";
import { PLAN_FIELDS, planProblem, type PlanField } from "./plan-problems.ts";

interface EditPlanProps {
  readonly plan: Plan;
  readonly plans: readonly Plan[];
  readonly datasets: readonly Dataset[];
  readonly onClose: () => void;
}

interface DatasetsInputProps extends Pick<EditPlanProps, "plans" | "datasets"> {
  readonly listed: string;
  readonly onChange: (listed: string) => void;
  readonly error: string | undefined;
}

function DatasetsInput({ listed, onChange, plans, datasets, error }: DatasetsInputProps): ReactElement {
  const given = parsePlanDatasets(listed);
  const unknown = unknownPart(given, datasets, plans);
  const names = plans.map(({ name }) => name).join(", ");
  return (
    <TextInput
      label="Datasets"
      value={listed}
      onChange={onChange}
      help={`“all”, or ids and names of plans apart by commas. As typed: ${datasetsOfPlan(given, datasets).length} of ${datasets.length} datasets.`}
      error={unknown === undefined ? error : `“${unknown}” is neither a dataset's id nor a plan. Plans: ${names}.`}
    />
  );
}

type Figures = Readonly<Record<PlanField, string>>;

export function EditPlanDialog({ plan, plans, datasets, onClose }: EditPlanProps): ReactElement {
  const [figures, setFigures] = useState<Figures>({
    requests_per_minute: String(plan.requests_per_minute),
    burst: String(plan.burst),
    max_page: String(plan.max_page),
  });
  const [listed, setListed] = useState(printPlanDatasets(plan.datasets));
  const [isTold, setIsTold] = useState(false);
  const edit = useEditPlan();
  const problem = problemOf(edit.error);
  const given = parsePlanDatasets(listed);
  const unknown = unknownPart(given, datasets, plans);
  const wrong = PLAN_FIELDS.map(({ name, max }) => planProblem(figures[name], max));
  const save = (): void => {
    setIsTold(true);
    if (unknown !== undefined || wrong.some((one) => one !== undefined)) return;
    edit.mutate(
      {
        name: plan.name,
        datasets: given,
        requests_per_minute: Number(figures.requests_per_minute),
        burst: Number(figures.burst),
        max_page: Number(figures.max_page),
      },
      { onSuccess: onClose },
    );
  };
  return (
    <FormDialog
      title={`Edit the plan ${plan.name}`}
      confirm="Save plan"
      isBusy={edit.isPending}
      error={edit.error}
      onClose={onClose}
      onConfirm={save}
    >
      {PLAN_FIELDS.map(({ name, label, help }, index) => (
        <TextInput
          key={name}
          label={label}
          inputMode="numeric"
          value={figures[name]}
          onChange={(value) => setFigures({ ...figures, [name]: value })}
          help={help}
          error={(isTold ? wrong[index] : undefined) ?? problem?.of(name)}
        />
      ))}
      <DatasetsInput
        listed={listed}
        onChange={setListed}
        plans={plans}
        datasets={datasets}
        error={problem?.of("datasets")}
      />
      <p className="text-ink-faint">Accounts of this plan feel it within a second.</p>
    </FormDialog>
  );
}
