import { useId, type ClipboardEvent, type ReactElement } from "react";
import { controlOf } from "../../../explore/control-of.ts";
import { trimPasted } from "../../../explore/trim-pasted.ts";
import { CONTROL_CLASS } from "../../../ui/control-class.ts";
import type { ControlProps } from "./control-props.ts";

/** Numbers, ids, words: plain text, so that anything the service accepts can be entered. */
export function TextControl({ param, text, onChange, ids }: ControlProps): ReactElement {
  const list = useId();
  const control = controlOf(param);
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const isWhole = (selectionEnd ?? 0) - (selectionStart ?? 0) === value.length;
    if (control !== "id" || !isWhole) return;
    event.preventDefault();
    onChange(trimPasted(event.clipboardData.getData("text"), param.type));
  };
  return (
    <>
      <input
        {...ids}
        type="text"
        name={param.name}
        value={text}
        autoComplete="off"
        spellCheck={control === "text"}
        placeholder={param.default ?? undefined}
        list={control === "zone" ? list : undefined}
        inputMode={control === "number" ? "decimal" : "text"}
        onPaste={paste}
        onChange={(event) => onChange(event.currentTarget.value)}
        className={`${CONTROL_CLASS} ${control === "id" ? "font-mono" : ""}`}
      />
      {control === "zone" ? (
        <datalist id={list}>
          {Intl.supportedValuesOf("timeZone").map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </datalist>
      ) : null}
    </>
  );
}
