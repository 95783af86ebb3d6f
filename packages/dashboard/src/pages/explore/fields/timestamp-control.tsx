import { useRef, type ReactElement } from "react";
import { isoFromLocal, localFromTimestamp, timestampMs } from "../../../explore/timestamp-text.ts";
import { showTimestamp } from "../../../read/show-timestamp.ts";
import { Button } from "../../../ui/button.tsx";
import { CONTROL_CLASS } from "../../../ui/control-class.ts";
import type { ControlProps } from "./control-props.ts";

/** A time or a day in any accepted format; the picker writes one. Below: the time in the user's zone. */
export function TimestampControl(props: ControlProps & { readonly isDay?: boolean }): ReactElement {
  const { param, text, onChange, ids, isDay = false } = props;
  const picker = useRef<HTMLInputElement>(null);
  const ms = timestampMs(text);
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
          value={isDay ? localFromTimestamp(text).slice(0, 10) : localFromTimestamp(text)}
          onChange={(event) => pick(event.currentTarget.value)}
          className="pointer-events-none absolute right-0 bottom-0 h-px w-px opacity-0"
        />
      </div>
      {ms === undefined || isDay ? null : (
        <p className="mt-0.5 text-xs text-ink-faint">{showTimestamp(ms)} in your time zone</p>
      )}
    </div>
  );
}
