import type { InputHTMLAttributes, ReactElement } from "react";
import { CONTROL_CLASS } from "./control-class.ts";
import { Field, type ControlProps } from "./field.tsx";

type TextInputProps = ControlProps & Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value">;

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
