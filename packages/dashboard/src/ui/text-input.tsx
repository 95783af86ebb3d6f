import type { InputHTMLAttributes, ReactElement, ReactNode } from "react";
import { CONTROL_CLASS } from "./control-class.ts";
import { Field } from "./field.tsx";

interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  readonly label: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
}

export function TextInput(props: TextInputProps): ReactElement {
  const { label, help, error, isOptional = false, onChange, className = "", ...rest } = props;
  return (
    <Field label={label} help={help} error={error} isOptional={isOptional}>
      {(ids) => (
        <input
          type="text"
          autoComplete="off"
          {...rest}
          {...ids}
          onChange={(event) => onChange(event.currentTarget.value)}
          className={`${CONTROL_CLASS} ${className}`}
        />
      )}
    </Field>
  );
}
