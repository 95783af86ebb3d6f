import type { ReactElement } from "react";
import type { ControlProps } from "./field.tsx";
import { TextInput } from "./text-input.tsx";

interface PasswordInputProps extends ControlProps {
  readonly isNew?: boolean;
}

/** `isNew` tells password managers whether it is an existing password or a new one. */
export function PasswordInput({ isNew = false, ...rest }: PasswordInputProps): ReactElement {
  return (
    <TextInput
      type="password"
      name={isNew ? "new-password" : "password"}
      autoComplete={isNew ? "new-password" : "current-password"}
      required
      {...rest}
    />
  );
}
