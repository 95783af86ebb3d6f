import { useState, type ReactElement, type ReactNode } from "react";
import { problemOf } from "../api/console-problem.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorNote } from "./content-states.tsx";
import { Select, TextInput } from "./form-fields.tsx";

export interface FormField<Name extends string> {
  /** The field's name in the service's problems. */
  readonly name: Name;
  readonly label: string;
  readonly initial?: string;
  readonly type?: "text" | "email";
  readonly inputMode?: "numeric";
  readonly required?: boolean;
  readonly maxLength?: number;
  /** The allowed values; absent: free text. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly help?: string | ((value: string) => string);
  /** Error of the value given the others: shown on submit, which it prevents. */
  readonly check?: (value: string, values: Readonly<Record<Name, string>>) => string | undefined;
  /** Shows the error while typing. */
  readonly isCheckedAtOnce?: boolean;
  /** Why the field cannot be chosen. */
  readonly error?: string | undefined;
}

interface FormDialogProps<Name extends string> {
  readonly title: string;
  /** The button's label: the action, not "OK". */
  readonly confirm: string;
  readonly isDangerous?: boolean;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly onClose: () => void;
  readonly onConfirm: (values: Readonly<Record<Name, string>>) => void;
  readonly fields?: readonly FormField<Name>[];
  /** Shown before the fields. */
  readonly children?: ReactNode;
}

/** A small form or a confirmation before a change; shows errors next to the field they are about. */
export function FormDialog<Name extends string = never>(props: FormDialogProps<Name>): ReactElement {
  const { title, confirm, isDangerous = false, change, onClose, onConfirm, fields = [], children } = props;
  const [values, setValues] = useState(
    () => Object.fromEntries(fields.map(({ name, initial = "" }) => [name, initial])) as Record<Name, string>,
  );
  const [isReported, setIsReported] = useState(false);
  const problem = problemOf(change.error);
  // Closed while the change is pending, it would lose the reply: a new key or password is shown only once.
  return (
    <Dialog title={title} isOpen onClose={onClose} isSticky={change.isPending}>
      <form
        className="flex flex-col gap-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          setIsReported(true);
          if (fields.every(({ name, check }) => check?.(values[name], values) === undefined)) onConfirm(values);
        }}
      >
        {children}
        {fields.map((field) => {
          const { name, label, type = "text", inputMode, required, maxLength, choices, help, error } = field;
          const value = values[name];
          const wrong = isReported || field.isCheckedAtOnce === true ? field.check?.(value, values) : undefined;
          const control = {
            name,
            label,
            value,
            onChange: (next: string) => setValues({ ...values, [name]: next }),
            help: typeof help === "function" ? help(value) : help,
            error: wrong ?? problem?.of(name) ?? error,
          };
          if (choices !== undefined) return <Select key={name} {...control} choices={choices} />;
          return <TextInput key={name} {...control} {...{ type, inputMode, required, maxLength }} />;
        })}
        {change.error === null ? null : <ErrorNote error={change.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose} disabled={change.isPending}>
            Cancel
          </Button>
          <Button type="submit" tone={isDangerous ? "danger" : "primary"} isBusy={change.isPending}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
