import type { LeftSpan } from "../definition/left-span.ts";
import type { TableDefinition } from "../definition/table.ts";

/** Of which seconds rows were taken away, or that it is not known. */
export type Left = readonly LeftSpan[] | "unknown";

type Told = (table: TableDefinition, left?: Left) => void;

export type ChangeCounts = {
  /** This process stored something new in the table. */
  readonly changed: Told;
  /** Another process did: what was kept of the table is out of date. */
  readonly outdated: Told;
  /** Runs statements that write to any table: what was kept of all of them is out of date afterwards. */
  readonly rewriting: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Is called on `changed`. */
  readonly onChanged: (told: Told) => void;
  /** Differs after any of these. */
  readonly stampOf: (tables: readonly TableDefinition[]) => string;
  /** Milliseconds since the stamp became what it is; 0 while statements run that write to any table. */
  readonly restMs: (tables: readonly TableDefinition[]) => number;
};

type Count = { changes: number; at: number };

/** Counts how often tables changed, as far as this process knows. `clock` gives milliseconds since any moment. */
export function createChangeCounts(clock: () => number = () => performance.now()): ChangeCounts {
  const counts = new Map<string, Count>();
  const all: Count = { changes: 0, at: clock() };
  const watchers: Told[] = [];
  let rewriting = 0;
  const outdated: Told = ({ name }) => {
    counts.set(name, { changes: (counts.get(name)?.changes ?? 0) + 1, at: clock() });
  };
  return {
    outdated,
    changed: (table, left) => {
      outdated(table);
      for (const told of watchers) told(table, left);
    },
    rewriting: async (work) => {
      rewriting += 1;
      try {
        return await work();
      } finally {
        rewriting -= 1;
        all.changes += 1;
        all.at = clock();
      }
    },
    onChanged: (told) => void watchers.push(told),
    stampOf: (tables) => `${all.changes} ${tables.map(({ name }) => counts.get(name)?.changes ?? 0).join(" ")}`,
    restMs: (tables) =>
      rewriting > 0 ? 0 : clock() - Math.max(all.at, ...tables.map(({ name }) => counts.get(name)?.at ?? all.at)),
  };
}
