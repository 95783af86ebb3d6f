import type { ReactElement } from "react";
import { useEditPlan, type Plan } from "../../api/accounts.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import {
  datasetsOfPlan,
  parsePlanDatasets,
  printPlanDatasets,
  unknownPart,
  PLAN_FIELDS,
  planProblem,
} from "./plan-form.ts";

interface EditPlanProps {
  readonly plan: Plan;
  readonly plans: readonly Plan[];
  readonly datasets: readonly Dataset[];
  readonly onClose: () => void;
}

export function EditPlanDialog({ plan, plans, datasets, onClose }: EditPlanProps): ReactElement {
  const edit = useEditPlan();
  const names = plans.map((one) => one.name).join(", ");
  return (
    <FormDialog
      title={`Edit the plan ${plan.name}`}
      confirm="Save plan"
      change={edit}
      onClose={onClose}
      onConfirm={(typed) =>
        edit.mutate(
          {
            name: plan.name,
            datasets: parsePlanDatasets(typed.datasets),
            requests_per_minute: Number(typed.requests_per_minute),
            burst: Number(typed.burst),
            max_page: Number(typed.max_page),
            max_list: Number(typed.max_list),
            at_once: Number(typed.at_once),
            key_at_once: Number(typed.key_at_once),
            keys: Number(typed.keys),
            users: Number(typed.users),
          },
          { onSuccess: onClose },
        )
      }
      fields={[
        ...PLAN_FIELDS.map(({ name, label, max, help }) => ({
          name,
          label,
          help,
          inputMode: "numeric" as const,
          initial: String(plan[name]),
          check: (value: string) => planProblem(value, max),
        })),
        {
          name: "datasets",
          label: "Datasets",
          initial: printPlanDatasets(plan.datasets),
          help: (listed) =>
            `“all”, or ids and names of plans separated by commas. As typed: ${datasetsOfPlan(parsePlanDatasets(listed), datasets).length} of ${datasets.length} datasets.`,
          check: (listed) => {
            const unknown = unknownPart(parsePlanDatasets(listed), datasets, plans);
            if (unknown === undefined) return undefined;
            return `“${unknown}” is neither a dataset's id nor a plan. Plans: ${names}.`;
          },
          isCheckedAtOnce: true,
        },
      ]}
    >
      <p className="text-ink-faint">It applies to accounts of this plan within a second.</p>
    </FormDialog>
  );
}
