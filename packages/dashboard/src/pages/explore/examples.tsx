import type { ReactElement } from "react";
import type { DatasetExample } from "../../explore/dataset.ts";

interface ExamplesProps {
  readonly examples: readonly DatasetExample[];
  readonly onTake: (params: Readonly<Record<string, string>>) => void;
}

/** Questions that fill the form. */
export function Examples({ examples, onTake }: ExamplesProps): ReactElement | null {
  if (examples.length === 0) return null;
  return (
    <div>
      <h2 className="text-[13px] font-medium text-ink-soft">Examples</h2>
      <ul className="mt-1 flex flex-wrap gap-1.5">
        {examples.map((example) => (
          <li key={example.title} className="min-w-0">
            <button
              type="button"
              onClick={() => onTake(example.params)}
              className="rounded-lg bg-accent-soft px-2.5 py-1 text-left text-[13px] text-accent-strong hover:underline"
            >
              {example.title}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
