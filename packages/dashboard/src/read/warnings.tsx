import type { ReactElement } from "react";

/** The warnings of a response; empty if there are none. */
export function Warnings({ of }: { readonly of: readonly string[] }): ReactElement | null {
  if (of.length === 0) return null;
  return (
    <ul className="list-disc rounded-lg bg-warn-soft py-2 pr-3 pl-7 text-[13px] text-warn">
      {of.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}
