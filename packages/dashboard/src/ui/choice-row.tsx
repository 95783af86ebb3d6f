import type { ReactElement, ReactNode } from "react";

interface ChoiceRowProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: ReactNode }[];
  readonly onChange: (value: string) => void;
}

/** A row of a few choices, of which one is selected. */
export function ChoiceRow({ label, value, choices, onChange }: ChoiceRowProps): ReactElement {
  return (
    <div role="group" aria-label={label} className="flex w-fit max-w-full flex-wrap gap-0.5 rounded-lg bg-sunken p-0.5">
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
          className="min-h-7 max-w-full rounded-md px-2.5 text-[13px] [overflow-wrap:anywhere] text-ink-soft hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent-strong"
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
