import type { ReactElement } from "react";
import type { DatasetParam } from "../../../explore/dataset.ts";

interface ParamHelpProps {
  readonly param: DatasetParam;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** What a parameter means, what it is without one, its other names, and the value that switches a default off. */
export function ParamHelp({ param, text, onChange }: ParamHelpProps): ReactElement {
  const { about, choices, is_list, off_values, aliases } = param;
  const facts = [
    param.default === null ? "" : `Default ${param.default}.`,
    off_values.length > 0 ? `No filter: ${off_values.join(", ")}.` : "",
    aliases.length > 0 ? `Also ${aliases.join(", ")}.` : "",
  ].filter(Boolean);
  const off = off_values[0];
  const canSwitchOff = param.default !== null && off !== undefined && choices === null && text !== off;
  return (
    <>
      {about}
      {choices === null ? ` ${is_list ? "One or more: " : ""}${param.expected}.`.replace(/\.\.$/, ".") : ""}
      {facts.length > 0 ? <span className="block text-xs">{facts.join(" ")}</span> : null}
      {canSwitchOff ? (
        <button type="button" onClick={() => onChange(off)} className="text-xs text-accent underline">
          Switch the default off
        </button>
      ) : null}
    </>
  );
}
