import type { ReactElement } from "react";
import type { DatasetParam } from "../../../explore/dataset.ts";

export function ParamLabel({ param }: { readonly param: DatasetParam }): ReactElement {
  return (
    <>
      <code>{param.name}</code>
      {param.is_required ? <span className="text-down"> required</span> : null}
    </>
  );
}
