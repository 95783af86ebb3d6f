import type { ReactElement } from "react";
import { controlOf } from "../../../explore/control-of.ts";
import type { DatasetParam } from "../../../explore/dataset.ts";
import type { ControlProps } from "./control-props.ts";

/** The accepted format, if neither choices nor a picker show it. */
function formOf(param: DatasetParam): string {
  const control = controlOf(param);
  if (param.choices !== null || control === "moment" || control === "day") return "";
  return param.is_list ? `one or more: ${param.expected}` : param.expected;
}

/** A parameter's description, default, aliases, and the value that switches a default off. */
export function ParamHelp({ param, text, onChange }: Omit<ControlProps, "ids">): ReactElement {
  const { about, choices, default_unless, off_values, aliases } = param;
  const facts = [
    formOf(param),
    param.default === null
      ? ""
      : `default ${param.default}${default_unless === null ? "" : `, none with ${default_unless}`}`,
    off_values.length > 0 ? `no filter: ${off_values.join(", ")}` : "",
    aliases.length > 0 ? `also ${aliases.join(", ")}` : "",
  ].filter(Boolean);
  const off = off_values[0];
  const canSwitchOff = param.default !== null && off !== undefined && choices === null && text !== off;
  return (
    <>
      {about}
      {facts.length > 0 ? <span className="block text-xs">{facts.join(" · ")}</span> : null}
      {canSwitchOff ? (
        <button type="button" onClick={() => onChange(off)} className="text-xs text-accent underline">
          Switch the default off
        </button>
      ) : null}
    </>
  );
}
