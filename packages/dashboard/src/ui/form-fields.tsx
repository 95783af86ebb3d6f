import { useId, useState, type ReactElement, type ReactNode, type InputHTMLAttributes } from "react";
import { Icon } from "./icon.tsx";
import { shownChoices } from "./shown-choices.ts";

export interface FieldIds {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

interface LabelProps {
  readonly label: ReactNode;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
}

/** Props of a single text control. */
export interface ControlProps extends LabelProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface FieldProps extends LabelProps {
  /** Renders the control with the ids that tie it to its label, help and error. */
  readonly children: (ids: FieldIds) => ReactNode;
}

export function Field({ label, help, error, isOptional = false, children }: FieldProps): ReactElement {
  const id = useId();
  const described = [help === undefined ? "" : `${id}-help`, error === undefined ? "" : `${id}-error`]
    .filter((part) => part !== "")
    .join(" ");
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-[13px] font-medium text-ink-soft">
        {label}
        {isOptional ? <span className="font-normal text-ink-faint"> (optional)</span> : null}
      </label>
      {children({
        id,
        ...(described === "" ? {} : { "aria-describedby": described }),
        ...(error === undefined ? {} : { "aria-invalid": true }),
      })}
      {help === undefined ? null : (
        <p id={`${id}-help`} className="text-[13px] text-ink-faint">
          {help}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} className="flex items-start gap-1 text-[13px] text-down">
          <Icon name="alert" size={15} />
          <span className="min-w-0">{error}</span>
        </p>
      )}
    </div>
  );
}

/** The look of all inputs and selects. */
export const CONTROL_CLASS =
  "w-full min-w-0 h-10 rounded-lg border border-line-strong bg-surface px-3 text-sm text-ink placeholder:text-ink-faint aria-invalid:border-down disabled:opacity-60 focus-visible:outline-offset-0";

type TextInputProps = ControlProps & Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value">;

export function TextInput(props: TextInputProps): ReactElement {
  const { label, help, error, isOptional = false, onChange, ...rest } = props;
  return (
    <Field label={label} help={help} error={error} isOptional={isOptional}>
      {(ids) => (
        <input
          type="text"
          autoComplete="off"
          {...rest}
          {...ids}
          onChange={(event) => onChange(event.currentTarget.value)}
          className={CONTROL_CLASS}
        />
      )}
    </Field>
  );
}

/**
 * A day that is kept in the address. While it is typed it is shown as typed: the address changes later than the field,
 * which would show the former day in between, and the browser would forget the first digit of a month or a day.
 */
export function DateInput({ value, onChange, ...rest }: TextInputProps): ReactElement {
  const [typed, setTyped] = useState<string>();
  return (
    <TextInput
      {...rest}
      type="date"
      value={typed ?? value}
      onChange={(next) => {
        setTyped(next);
        onChange(next);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

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

interface SelectProps extends ControlProps {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly name?: string;
}

export function Select(props: SelectProps): ReactElement {
  const { label, value, onChange, choices, help, error, name } = props;
  return (
    <Field label={label} help={help} error={error}>
      {(ids) => (
        <span className="relative block">
          <select
            {...ids}
            name={name}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            className={`${CONTROL_CLASS} appearance-none truncate pr-8`}
          >
            {shownChoices(choices, value).map((choice) => (
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
