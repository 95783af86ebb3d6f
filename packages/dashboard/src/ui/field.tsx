import { useId, type ReactElement, type ReactNode } from "react";
import { Icon } from "./icon.tsx";

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
