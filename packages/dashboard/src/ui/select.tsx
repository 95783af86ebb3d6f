import type { ReactElement } from "react";
import { CONTROL_CLASS } from "./control-class.ts";
import { Field, type ControlProps } from "./field.tsx";
import { Icon } from "./icon.tsx";

interface SelectProps extends ControlProps {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly name?: string;
  readonly disabled?: boolean;
}

export function Select(props: SelectProps): ReactElement {
  const { label, value, onChange, choices, help, error, isOptional = false, name, disabled } = props;
  return (
    <Field label={label} help={help} error={error} isOptional={isOptional}>
      {(ids) => (
        <span className="relative block">
          <select
            {...ids}
            name={name}
            disabled={disabled}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            className={`${CONTROL_CLASS} appearance-none truncate pr-8`}
          >
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
          <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-ink-faint">
            <Icon name="chevron" size={16} />
          </span>
        </span>
      )}
    </Field>
  );
}
