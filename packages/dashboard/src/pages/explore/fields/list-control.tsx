import { useState, type ClipboardEvent, type KeyboardEvent, type ReactElement } from "react";
import { flushSync } from "react-dom";
import { itemType } from "../../../explore/control-of.ts";
import { readList, writeList } from "../../../explore/list-text.ts";
import { trimPasted } from "../../../explore/trim-pasted.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { ControlProps } from "./control-props.ts";

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
    if (event.key === "," || event.key === "Enter") {
      if (event.key === ",") event.preventDefault();
      if (draft.trim() !== "") flushSync(() => add(draft));
    } else if (event.key === "Backspace" && draft === "" && items.length > 0) {
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
