import { useState, type ReactElement } from "react";
import { ConsoleProblem } from "../../api/console-problem.ts";
import { useCreateKey, type MadeKey } from "../../api/keys.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select } from "../../ui/select.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { DatasetPicker } from "./dataset-picker.tsx";
import { EXPIRIES, expiryProblem, toExpiry } from "./expiry.ts";

interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onMade: (made: MadeKey) => void;
}

interface ExpiryInputsProps {
  readonly expiry: string;
  readonly day: string;
  readonly onExpiry: (expiry: string) => void;
  readonly onDay: (day: string) => void;
  readonly error: string | undefined;
}

function ExpiryInputs({ expiry, day, onExpiry, onDay, error }: ExpiryInputsProps): ReactElement {
  const isOnDay = expiry === "on";
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Expires"
        value={expiry}
        onChange={onExpiry}
        choices={EXPIRIES}
        error={isOnDay ? undefined : error}
      />
      {isOnDay ? <TextInput label="Last day" type="date" value={day} onChange={onDay} error={error} /> : null}
    </div>
  );
}

export function CreateKeyDialog({ onClose, onMade }: CreateKeyProps): ReactElement {
  const [name, setName] = useState("");
  const [expiry, setExpiry] = useState("never");
  const [day, setDay] = useState("");
  const [datasets, setDatasets] = useState<readonly number[]>();
  const [told, setTold] = useState<{ readonly expiry?: string | undefined; readonly datasets?: string | undefined }>(
    {},
  );
  const create = useCreateKey();
  const problem = create.error instanceof ConsoleProblem ? create.error : undefined;
  const submit = (): void => {
    const now = Date.now();
    const wrong = {
      expiry: expiryProblem(expiry, day, now),
      datasets: datasets?.length === 0 ? "Choose at least one dataset, or all that the plan allows." : undefined,
    };
    setTold(wrong);
    if (wrong.expiry !== undefined || wrong.datasets !== undefined) return;
    const expires = toExpiry(expiry, day, now);
    create.mutate(
      {
        name: name.trim(),
        ...(expires === undefined ? {} : { expires_at: expires }),
        ...(datasets === undefined ? {} : { datasets }),
      },
      { onSuccess: onMade },
    );
  };
  return (
    <FormDialog
      title="Create a key"
      confirm="Create key"
      isBusy={create.isPending}
      error={create.error}
      onClose={onClose}
      onConfirm={submit}
    >
      <TextInput
        label="Name"
        name="name"
        required
        maxLength={200}
        value={name}
        onChange={setName}
        help="What will use it: nightly export, trading bot, notebook."
        error={problem?.of("name")}
      />
      <ExpiryInputs
        expiry={expiry}
        day={day}
        onExpiry={setExpiry}
        onDay={setDay}
        error={told.expiry ?? problem?.of("expires_at")}
      />
      <DatasetPicker chosen={datasets} onChange={setDatasets} error={told.datasets ?? problem?.of("datasets")} />
    </FormDialog>
  );
}
