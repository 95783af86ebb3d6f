import type { ReactElement } from "react";
import { controlOf } from "../../../explore/control-of.ts";
import type { DatasetParam } from "../../../explore/dataset.ts";
import { Field } from "../../../ui/field.tsx";
import { ChoiceControl } from "./choice-control.tsx";
import { ChoicesControl } from "./choices-control.tsx";
import type { ControlProps } from "./control-props.ts";
import { ListControl } from "./list-control.tsx";
import { MomentControl } from "./moment-control.tsx";
import { ParamHelp } from "./param-help.tsx";
import { ParamLabel } from "./param-label.tsx";
import { TextControl } from "./text-control.tsx";

interface ParamFieldProps {
  readonly param: DatasetParam;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
}

/** One parameter: its control by its type, what it means, what was wrong with it. */
export function ParamField({ param, text, onChange, error }: ParamFieldProps): ReactElement {
  const props = { param, text, onChange };
  if (param.is_list && param.choices !== null) return <ChoicesControl {...props} error={error} />;
  return (
    <Field
      label={<ParamLabel param={param} />}
      help={<ParamHelp param={param} text={text} onChange={onChange} />}
      error={error}
    >
      {(ids) => <Control {...props} ids={{ ...ids, ...(param.is_required ? { "aria-required": true } : {}) }} />}
    </Field>
  );
}

function Control(props: ControlProps): ReactElement {
  switch (controlOf(props.param)) {
    case "choice":
    case "flag":
      return <ChoiceControl {...props} />;
    case "list":
      return <ListControl {...props} />;
    case "moment":
      return <MomentControl {...props} />;
    case "day":
      return <MomentControl {...props} isDay />;
    default:
      return <TextControl {...props} />;
  }
}
