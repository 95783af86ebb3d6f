import type { ReactElement } from "react";
import type { DatasetParam } from "../../../explore/dataset.ts";
import { isOff } from "../../../explore/off-values.ts";
import { CONTROL_CLASS } from "../../../ui/control-class.ts";
import type { ControlProps } from "./control-props.ts";

type Choice = { readonly value: string; readonly label: string };

/** One of a few words, or none: with a default, "none" is said by the off value. */
export function ChoiceControl({ param, text, onChange, ids }: ControlProps): ReactElement {
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

function shownValue(param: DatasetParam, text: string): string {
  const trimmed = text.trim();
  const known = param.choices?.find((choice) => choice.toLowerCase() === trimmed.toLowerCase());
  if (known !== undefined) return known === param.default ? "" : known;
  if (trimmed === "" || !isOff(param, trimmed)) return trimmed;
  return param.default === null ? "" : (param.off_values[0] ?? "");
}
