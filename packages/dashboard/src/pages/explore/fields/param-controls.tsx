import type { DatasetParam } from "../../../explore/dataset.ts";
import { type FieldIds, CONTROL_CLASS } from "../../../ui/form-fields.tsx";
import { useId, type ClipboardEvent, type ReactElement, useRef, useState, type KeyboardEvent } from "react";
import {
  controlOf,
  trimPasted,
  dayFromTimestamp,
  isoFromLocal,
  localFromTimestamp,
  timeInZone,
  itemType,
  listKey,
  readList,
  writeList,
} from "../../../explore/params.ts";
import { Button } from "../../../ui/button.tsx";
import { flushSync } from "react-dom";
import { Icon } from "../../../ui/icon.tsx";

export type ControlProps = {
  readonly param: DatasetParam;
  /** Text as sent; empty: not sent. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly ids: FieldIds & { readonly "aria-required"?: true };
};

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

/** A time or a day in any accepted format; the picker writes one. Below: the time in the user's zone. */
export function TimestampControl(props: ControlProps & { readonly isDay?: boolean }): ReactElement {
  const { param, text, onChange, ids, isDay = false } = props;
  const picker = useRef<HTMLInputElement>(null);
  const inZone = isDay ? undefined : timeInZone(text);
  const pick = (value: string): void => onChange(isDay ? value : (isoFromLocal(value) ?? ""));
  return (
    <div className="relative">
      <div className="flex gap-1">
        <input
          {...ids}
          type="text"
          name={param.name}
          value={text}
          autoComplete="off"
          spellCheck={false}
          placeholder={param.default ?? (isDay ? "2026-11-20" : "2026-11-20T10:00Z")}
          onChange={(event) => onChange(event.currentTarget.value)}
          className={CONTROL_CLASS}
        />
        <Button
          aria-label={`Pick ${param.name}`}
          className="px-2.5"
          onClick={() => {
            if (picker.current !== null && "showPicker" in picker.current) picker.current.showPicker();
          }}
        >
          …
        </Button>
        <input
          ref={picker}
          type={isDay ? "date" : "datetime-local"}
          step={isDay ? undefined : 1}
          tabIndex={-1}
          aria-hidden="true"
          value={isDay ? dayFromTimestamp(text) : localFromTimestamp(text)}
          onChange={(event) => pick(event.currentTarget.value)}
          className="pointer-events-none absolute right-0 bottom-0 h-px w-px opacity-0"
        />
      </div>
      {inZone === undefined ? null : <p className="mt-0.5 text-xs text-ink-faint">{inZone} in your time zone</p>}
    </div>
  );
}

/** Several values as chips. A comma or a paste adds; Enter adds and runs the query; Backspace removes the last one. */
export function ListControl({ param, text, onChange, ids }: ControlProps): ReactElement {
  const [draft, setDraft] = useState("");
  const items = readList(text);
  const type = itemType(param);
  const add = (more: string): void => {
    setDraft("");
    const added = readList(type === "phrases" ? more : trimPasted(more, type));
    if (added.length > 0) onChange(writeList([...items, ...added]));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const does = listKey(event.nativeEvent, draft);
    if (does === "add") {
      if (event.key === ",") event.preventDefault();
      if (draft.trim() !== "") flushSync(() => add(draft));
    } else if (does === "take back" && items.length > 0) {
      event.preventDefault();
      setDraft(items.at(-1) ?? "");
      onChange(writeList(items.slice(0, -1)));
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    if (draft !== "") return;
    event.preventDefault();
    add(event.clipboardData.getData("text").replaceAll(/[\n;]+/g, ","));
  };
  return (
    <div className="flex min-h-10 w-full min-w-0 flex-wrap items-center gap-1 rounded-lg border border-line-strong bg-surface p-1 has-aria-invalid:border-down has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent">
      {items.map((item) => (
        <Chip key={item} item={item} onRemove={() => onChange(writeList(items.filter((one) => one !== item)))} />
      ))}
      <input
        {...ids}
        type="text"
        name={param.name}
        value={draft}
        autoComplete="off"
        spellCheck={false}
        placeholder={items.length === 0 ? type : "and …"}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => add(draft)}
        onChange={(event) => setDraft(event.currentTarget.value)}
        className="h-8 min-w-24 flex-1 bg-transparent px-2 text-sm outline-none placeholder:text-ink-faint"
      />
    </div>
  );
}

function Chip({ item, onRemove }: { readonly item: string; readonly onRemove: () => void }): ReactElement {
  return (
    <span className="flex max-w-full min-w-0 items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-2 font-mono text-xs">
      <span className="min-w-0 truncate" title={item}>
        {item}
      </span>
      <button
        type="button"
        aria-label={`Remove ${item}`}
        onClick={onRemove}
        className="rounded p-1 text-ink-faint hover:text-down"
      >
        <Icon name="cross" size={12} />
      </button>
    </span>
  );
}
