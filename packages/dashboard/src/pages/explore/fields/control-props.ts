import type { DatasetParam } from "../../../explore/dataset.ts";
import type { FieldIds } from "../../../ui/field.tsx";

export type ControlProps = {
  readonly param: DatasetParam;
  /** Text as sent; empty: not sent. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly ids: FieldIds & { readonly "aria-required"?: true };
};
