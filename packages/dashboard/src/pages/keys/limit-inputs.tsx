import type { ReactElement } from "react";
import { TextInput } from "../../ui/text-input.tsx";
import { LIMIT_FIELDS, type TypedLimit } from "./key-limit.ts";

interface LimitInputsProps {
  readonly typed: TypedLimit;
  readonly onChange: (part: Partial<TypedLimit>) => void;
  readonly errorOf: (name: keyof TypedLimit) => string | undefined;
}

/** A limit of the new key's own. */
export function LimitInputs({ typed, onChange, errorOf }: LimitInputsProps): ReactElement {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {LIMIT_FIELDS.map(({ name, label, help }) => (
        <TextInput
          key={name}
          label={label}
          name={name}
          isOptional
          inputMode="numeric"
          value={typed[name]}
          onChange={(text) => onChange({ [name]: text })}
          help={help}
          error={errorOf(name)}
        />
      ))}
    </div>
  );
}
