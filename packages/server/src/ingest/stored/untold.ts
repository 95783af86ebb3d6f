import { mergeSpans } from "../../definition/spans.ts";
import type { LeftSpan } from "../../definition/left-span.ts";
import type { StoredChanges } from "../../records/schema.ts";
import type { ChangeCounts } from "../../store/change-counts.ts";

/** What this process stored and the log does not say yet. */
export type Untold = {
  /** All of it, which is untold no more. With `isUnsure` nobody knows what else of these tables changed. */
  readonly take: (isUnsure: boolean) => StoredChanges;
  /** What was taken could not be told. */
  readonly giveBack: (changes: StoredChanges) => void;
};

type Change = { left: readonly LeftSpan[]; unknown: boolean };

/** Of a table of which rows at more different times were taken away it is only told that. */
const MOST_SPANS = 1000;

export function gatherUntold({ onChanged }: Pick<ChangeCounts, "onChanged">): Untold {
  const changes = new Map<string, Change>();
  const add = (table: string, { left, unknown }: Change): void => {
    const before = changes.get(table);
    const merged = mergeSpans([...(before?.left ?? []), ...left]);
    const isMany = merged.length > MOST_SPANS;
    changes.set(table, {
      left: isMany ? [] : merged,
      unknown: unknown || isMany || before?.unknown === true,
    });
  };
  onChanged(({ name }, left = []) =>
    add(name, left === "unknown" ? { left: [], unknown: true } : { left, unknown: false }),
  );
  return {
    take: (isUnsure) => {
      const taken = [...changes].map(([table, { left, unknown }]) => ({
        table,
        left: left.map(({ from, to }) => [from, to] as const),
        unknown: unknown || isUnsure,
      }));
      changes.clear();
      return taken;
    },
    giveBack: (told) => {
      if (told === "everything") return;
      for (const { table, left, unknown } of told)
        add(table, { left: left.map(([from, to]) => ({ from, to })), unknown });
    },
  };
}
