import type { ReactElement } from "react";
import type { Asked } from "../../../explore/asked.ts";
import type { Dataset } from "../../../explore/dataset.ts";
import { TextInput } from "../../../ui/text-input.tsx";

interface PageFieldsProps {
  readonly dataset: Dataset;
  readonly asked: Asked;
  readonly onChange: (asked: Asked) => void;
  readonly errors: ReadonlyMap<string, string>;
}

/** Inputs for the requested page. */
export function PageFields({ dataset, asked, onChange, errors }: PageFieldsProps): ReactElement {
  return (
    <div className="grid grid-cols-2 gap-3 border-t border-line pt-4">
      <TextInput
        label="limit"
        name="limit"
        inputMode="numeric"
        placeholder={String(dataset.limit.default)}
        help={`1 to ${dataset.limit.max}`}
        value={asked.limit}
        onChange={(limit) => onChange({ ...asked, limit })}
        error={errors.get("limit")}
      />
      <TextInput
        label="offset"
        name="offset"
        inputMode="numeric"
        placeholder="0"
        help="Rows to skip"
        value={asked.offset}
        onChange={(offset) => onChange({ ...asked, offset })}
        error={errors.get("offset")}
      />
    </div>
  );
}
