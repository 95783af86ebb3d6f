import type { ReactElement } from "react";
import type { Asked } from "../../explore/asked.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { Button } from "../../ui/button.tsx";

interface UnknownParamsProps {
  readonly dataset: Dataset;
  readonly asked: Asked;
  readonly onRemove: (name: string) => void;
}

/** What a link asks by names that the dataset does not have: sent as it is, so that the service says what was meant. */
export function UnknownParams({ dataset, asked, onRemove }: UnknownParamsProps): ReactElement | null {
  const known = new Set(dataset.params.map((param) => param.name));
  const unknown = Object.entries(asked.params).filter(([name]) => !known.has(name));
  if (unknown.length === 0) return null;
  return (
    <div className="rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn">
      <p className="font-medium">Not parameters of this dataset</p>
      <ul className="mt-1 flex flex-col gap-1">
        {unknown.map(([name, text]) => (
          <li key={name} className="flex items-center justify-between gap-2">
            <code className="min-w-0 break-all">
              {name}={text}
            </code>
            <Button isSmall tone="quiet" aria-label={`Remove ${name}`} icon="cross" onClick={() => onRemove(name)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
