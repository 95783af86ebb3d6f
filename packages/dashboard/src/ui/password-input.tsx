import type { ReactElement } from "react";
import { TextInput } from "./text-input.tsx";

interface PasswordInputProps {
  readonly label: string;
  readonly isNew?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly help?: string;
  readonly error?: string | undefined;
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
