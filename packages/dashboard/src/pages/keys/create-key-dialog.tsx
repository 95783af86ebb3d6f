import { useState, type ReactElement } from "react";
import { problemOf } from "../../api/console-problem.ts";
import { useCreateKey, type MadeKey } from "../../api/keys.ts";
import { AccountSelect } from "../../app/account-select.tsx";
import { useSession } from "../../app/session-context.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select, TextInput } from "../../ui/form-fields.tsx";
import { DatasetPicker } from "./dataset-picker.tsx";
import {
  EXPIRIES,
  KEY_MODE_CHOICES,
  keyModeHelp,
  toKeyMode,
  toWantedKey,
  type KeyForm,
  type KeyFormProblems,
  LIMIT_FIELDS,
  type TypedLimit,
} from "./key-form.ts";

interface LimitInputsProps {
  readonly typed: TypedLimit;
  readonly onChange: (part: Partial<TypedLimit>) => void;
  readonly errorOf: (name: keyof TypedLimit) => string | undefined;
}

/** A limit of the new key's own. */
function LimitInputs({ typed, onChange, errorOf }: LimitInputsProps): ReactElement {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {LIMIT_FIELDS.map(({ name, label, help }) => (
        <TextInput
          key={name}
          label={label}
          name={name}
          isOptional
          inputMode="numeric"
          value={typed[name]}
          onChange={(text) => onChange({ [name]: text })}
          help={help}
          error={errorOf(name)}
        />
      ))}
    </div>
  );
}

interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onMade: (made: MadeKey) => void;
}

interface ExpiryInputsProps {
  readonly form: KeyForm;
  readonly onChange: (part: Partial<KeyForm>) => void;
  readonly error: string | undefined;
}

function ExpiryInputs({ form, onChange, error }: ExpiryInputsProps): ReactElement {
  const isOnDay = form.expiry === "on";
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Expires"
        value={form.expiry}
        onChange={(expiry) => onChange({ expiry })}
        choices={EXPIRIES}
        error={isOnDay ? undefined : error}
      />
      {isOnDay ? (
        <TextInput label="Last day" type="date" value={form.day} onChange={(day) => onChange({ day })} error={error} />
      ) : null}
    </div>
  );
}

const EMPTY: KeyForm = {
  name: "",
  expiry: "never",
  day: "",
  datasets: undefined,
  account: undefined,
  mode: "strict",
  requests_per_minute: "",
  burst: "",
};

export function CreateKeyDialog({ onClose, onMade }: CreateKeyProps): ReactElement {
  const { account: own } = useSession();
  const [form, setForm] = useState(EMPTY);
  const [reported, setReported] = useState<KeyFormProblems>({});
  const create = useCreateKey();
  const problem = problemOf(create.error);
  const change = (part: Partial<KeyForm>): void => setForm((before) => ({ ...before, ...part }));
  const submit = (): void => {
    const wanted = toWantedKey(form, Date.now());
    setReported("wrong" in wanted ? wanted.wrong : {});
    if (!("wrong" in wanted)) create.mutate(wanted, { onSuccess: onMade });
  };
  return (
    <FormDialog title="Create a key" confirm="Create key" change={create} onClose={onClose} onConfirm={submit}>
      <AccountSelect
        value={form.account ?? own.id}
        onChange={(id) =>
          // The ticked datasets belong to another plan.
          change({ account: id === own.id ? undefined : id, datasets: form.datasets === undefined ? undefined : [] })
        }
        error={problem?.of("account")}
      />
      <TextInput
        label="Name"
        name="name"
        required
        maxLength={200}
        value={form.name}
        onChange={(name) => change({ name })}
        help="What will use it: nightly export, trading bot, notebook."
        error={problem?.of("name")}
      />
      <ExpiryInputs form={form} onChange={change} error={reported.expiry ?? problem?.of("expires_at")} />
      <Select
        label="Mode"
        name="mode"
        value={form.mode}
        onChange={(mode) => change({ mode: toKeyMode(mode) })}
        choices={KEY_MODE_CHOICES}
        help={keyModeHelp(form.mode)}
        error={problem?.of("mode")}
      />
      <LimitInputs typed={form} onChange={change} errorOf={(name) => reported[name] ?? problem?.of(name)} />
      <DatasetPicker
        accountId={form.account ?? own.id}
        chosen={form.datasets}
        onChange={(datasets) => change({ datasets })}
        error={reported.datasets ?? problem?.of("datasets")}
      />
    </FormDialog>
  );
}
