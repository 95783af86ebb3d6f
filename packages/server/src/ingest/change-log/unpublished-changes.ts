import { mergeSpans } from "../../definition/spans.ts";
import type { LeftSpan } from "../../definition/left-span.ts";
import type { StoredChanges } from "../../records/schema.ts";
import type { ChangeCounts } from "../../store/change-counts.ts";

/** Changes that this process stored and has not published yet. */
export type UnpublishedChanges = {
  /** Takes all of them. With `isUnsure` other rows of these tables may have changed too. */
  readonly take: (isUnsure: boolean) => StoredChanges;
  /** Changes that were taken could not be published. */
  readonly giveBack: (changes: StoredChanges) => void;
};

type Change = { left: readonly LeftSpan[]; unknown: boolean };

/** Where rows of more separate times were taken away, only that some were is published. */
const MOST_SPANS = 1000;

export function collectUnpublished({ onChanged }: Pick<ChangeCounts, "onChanged">): UnpublishedChanges {
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
    giveBack: (taken) => {
      if (taken === "everything") return;
      for (const { table, left, unknown } of taken)
        add(table, { left: left.map(([from, to]) => ({ from, to })), unknown });
    },
  };
}
