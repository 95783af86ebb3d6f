import { useState, type ReactElement } from "react";
import { useSetPlan, type Account } from "../../api/accounts.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { PlanSelect } from "./plan-select.tsx";

interface SetPlanProps {
  readonly account: Account;
  readonly onClose: () => void;
}

export function SetPlanDialog({ account, onClose }: SetPlanProps): ReactElement {
  const [plan, setPlan] = useState(account.plan);
  const change = useSetPlan();
  return (
    <FormDialog
      title={`Plan of ${account.name}`}
      confirm="Set plan"
      isBusy={change.isPending}
      error={change.error}
      onClose={onClose}
      onConfirm={() => change.mutate({ id: account.id, plan }, { onSuccess: onClose })}
    >
      <p>All keys and users of the account have the new plan's datasets and limits within a second.</p>
      <PlanSelect value={plan} onChange={setPlan} />
    </FormDialog>
  );
}
