import { type ReactElement, useId } from "react";
import { controlOf, shownValue, tickedChoices, toggleChoice } from "../../../explore/params.ts";
import type { DatasetParam } from "../../../explore/dataset.ts";
import { Field, CONTROL_CLASS } from "../../../ui/form-fields.tsx";
import { type ControlProps, ListControl, TimestampControl, TextControl } from "./param-controls.tsx";

function ParamLabel({ param }: { readonly param: DatasetParam }): ReactElement {
  return (
    <>
      <code>{param.name}</code>
      {param.is_required ? <span className="text-down"> required</span> : null}
    </>
  );
}

type ParamFieldProps = Omit<ControlProps, "ids"> & { readonly error: string | undefined };

/** Any of several choices. */
function ChoicesControl({ param, text, onChange, error }: ParamFieldProps): ReactElement {
  const id = useId();
  return (
    <fieldset className="min-w-0" aria-describedby={error === undefined ? `${id}-help` : `${id}-help ${id}-error`}>
      <legend className="text-[13px] font-medium text-ink-soft">
        <ParamLabel param={param} />
      </legend>
      <div className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {tickedChoices(param, text).map(({ item, isOn }) => (
          <label key={item} className="flex min-h-8 items-center gap-2 text-sm">
            <input
              type="checkbox"
              name={param.name}
              checked={isOn}
              onChange={() => onChange(toggleChoice(param, text, item))}
              className="size-4 accent-accent"
            />
            {item}
          </label>
        ))}
      </div>
      <p id={`${id}-help`} className="text-[13px] text-ink-faint">
        <ParamHelp param={param} text={text} onChange={onChange} />
      </p>
      {error === undefined ? null : (
        <p id={`${id}-error`} className="text-[13px] text-down">
          {error}
        </p>
      )}
    </fieldset>
  );
}

type Choice = { readonly value: string; readonly label: string };

/** One of several choices, or none: if there is a default, "none" is sent as the off value. */
function ChoiceControl({ param, text, onChange, ids }: ControlProps): ReactElement {
  const choices = choicesOf(param);
  const value = shownValue(param, text);
  const isForeign = !choices.some((choice) => choice.value === value);
  return (
    <select
      {...ids}
      name={param.name}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      className={`${CONTROL_CLASS} pr-8`}
    >
      {isForeign ? <option value={value}>{value}</option> : null}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

function choicesOf(param: DatasetParam): Choice[] {
  const named = (param.choices ?? []).map((value) => ({ value, label: value }));
  const [off] = param.off_values;
  if (param.default === null) {
    const label = param.is_required ? "choose one" : off === undefined ? "any" : `any (${off})`;
    return [{ value: "", label }, ...named];
  }
  const rest = named.filter((choice) => choice.value !== param.default);
  return [
    { value: "", label: `${param.default} (default)` },
    ...rest,
    ...(off === undefined ? [] : [{ value: off, label: `any (${off})` }]),
  ];
}

/** One parameter: its control by type, its description, its error. */
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
      return <TimestampControl {...props} />;
    case "day":
      return <TimestampControl {...props} isDay />;
    default:
      return <TextControl {...props} />;
  }
}

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
