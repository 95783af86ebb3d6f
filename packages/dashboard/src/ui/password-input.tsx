import type { ReactElement } from "react";
import type { ControlProps } from "./field.tsx";
import { TextInput } from "./text-input.tsx";

interface PasswordInputProps extends ControlProps {
  readonly isNew?: boolean;
}

/** Told apart for password managers: the one that is known, or one to be made. */
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
