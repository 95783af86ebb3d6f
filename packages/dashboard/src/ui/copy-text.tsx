import type { ReactElement } from "react";
import { Button } from "./button.tsx";
import { useCopy } from "./use-copy.ts";

interface CopyTextProps {
  readonly text: string;
  /** Name of the copied text, for the button: "Copy key". */
  readonly label: string;
  readonly isBlock?: boolean;
}

/** A text to copy: shown in full, selected with one click, copied with a button. */
export function CopyText({ text, label, isBlock = false }: CopyTextProps): ReactElement {
  const [state, copy] = useCopy(text);
  const isLong = text.includes("\n");
  const words = { idle: `Copy ${label}`, copied: "Copied", refused: "Select it and copy by hand" }[state];
  return (
    <div className={`flex min-w-0 gap-2 ${isBlock ? "flex-col items-start" : "items-center"}`}>
      <pre
        tabIndex={0}
        aria-label={label}
        className={`w-full min-w-0 flex-1 rounded-lg border border-line bg-sunken px-3 py-2 font-mono text-[13px] select-all ${isLong ? "overflow-x-auto" : "break-all whitespace-pre-wrap"}`}
      >
        {text}
      </pre>
      <Button isSmall icon={state === "copied" ? "tick" : "copy"} onClick={copy}>
        <span aria-live="polite">{words}</span>
      </Button>
    </div>
  );
}
