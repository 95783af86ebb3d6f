import type { ReactElement } from "react";
import type { Requested } from "../../../explore/request.ts";
import type { Dataset } from "../../../explore/dataset.ts";
import { TextInput } from "../../../ui/form-fields.tsx";

interface PageFieldsProps {
  readonly dataset: Dataset;
  readonly requested: Requested;
  readonly onChange: (requested: Requested) => void;
  readonly errors: ReadonlyMap<string, string>;
}

/** Inputs for the requested page. */
export function PageFields({ dataset, requested, onChange, errors }: PageFieldsProps): ReactElement {
  return (
    <div className="grid grid-cols-2 gap-3 border-t border-line pt-4">
      <TextInput
        label="limit"
        name="limit"
        inputMode="numeric"
        placeholder={String(dataset.limit.default)}
        help={`1 to ${dataset.limit.max}`}
        value={requested.limit}
        onChange={(limit) => onChange({ ...requested, limit })}
        error={errors.get("limit")}
      />
      <TextInput
        label="offset"
        name="offset"
        inputMode="numeric"
        placeholder="0"
        help="Rows to skip"
        value={requested.offset}
        onChange={(offset) => onChange({ ...requested, offset })}
        error={errors.get("offset")}
      />
    </div>
  );
}
