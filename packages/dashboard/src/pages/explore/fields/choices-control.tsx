import { useId, type ReactElement } from "react";
import type { DatasetParam } from "../../../explore/dataset.ts";
import { readList, writeList } from "../../../explore/list-text.ts";
import { ParamHelp } from "./param-help.tsx";
import { ParamLabel } from "./param-label.tsx";

interface ChoicesControlProps {
  readonly param: DatasetParam;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
}

/** Any of a few words. */
export function ChoicesControl({ param, text, onChange, error }: ChoicesControlProps): ReactElement {
  const id = useId();
  const items = readList(text);
  const isOn = (choice: string): boolean => items.some((item) => item.toLowerCase() === choice.toLowerCase());
  const toggle = (choice: string): void =>
    onChange(
      writeList(
        isOn(choice) ? items.filter((item) => item.toLowerCase() !== choice.toLowerCase()) : [...items, choice],
      ),
    );
  return (
    <fieldset className="min-w-0" aria-describedby={`${id}-help`}>
      <legend className="text-[13px] font-medium text-ink-soft">
        <ParamLabel param={param} />
      </legend>
      <div className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {(param.choices ?? []).map((choice) => (
          <label key={choice} className="flex min-h-8 items-center gap-2 text-sm">
            <input
              type="checkbox"
              name={param.name}
              checked={isOn(choice)}
              onChange={() => toggle(choice)}
              className="size-4 accent-accent"
            />
            {choice}
          </label>
        ))}
      </div>
      <p id={`${id}-help`} className="text-[13px] text-ink-faint">
        <ParamHelp param={param} text={text} onChange={onChange} />
      </p>
      {error === undefined ? null : <p className="text-[13px] text-down">{error}</p>}
    </fieldset>
  );
}
