import type { ReactElement, ReactNode } from "react";
import { CONTROL_CLASS } from "./control-class.ts";
import { Field } from "./field.tsx";

interface SelectProps {
  readonly label: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
  readonly name?: string;
  readonly disabled?: boolean;
}

export function Select(props: SelectProps): ReactElement {
  const { label, value, onChange, choices, help, error, isOptional = false, name, disabled } = props;
  return (
    <Field label={label} help={help} error={error} isOptional={isOptional}>
      {(ids) => (
        <select
          {...ids}
          name={name}
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          className={`${CONTROL_CLASS} pr-8`}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
