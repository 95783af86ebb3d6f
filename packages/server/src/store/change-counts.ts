import type { LeftSpan } from "../definition/spans.ts";
import type { Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";

/** Seconds from which rows were removed, or "unknown". */
export type Left = readonly LeftSpan[] | "unknown";

type Reported = (table: TableDefinition, left?: Left) => void;

export type ChangeCounts = {
  /** This process stored something new in the table. */
  readonly changed: Reported;
  /** Another process stored something: whatever was cached of the table is out of date. */
  readonly outdated: Reported;
  /** Runs a statement that writes; whatever was cached of the table it names is out of date afterwards. */
  readonly rewriting: <Result>(statement: Sql, work: () => Promise<Result>) => Promise<Result>;
  /** Registers a callback for `changed`. */
  readonly onChanged: (reported: Reported) => void;
  /** A value that differs after any of these. */
  readonly stampOf: (tables: readonly TableDefinition[]) => number;
  /** A value that differs only after `changed` and `outdated`. */
  readonly ownStampOf: (table: TableDefinition) => number;
  /** Runs work that stores rows of a table and reports it through `changed` before it ends. */
  readonly storing: <Result>(table: TableDefinition, work: () => Promise<Result>) => Promise<Result>;
  /** Whether a write to the table is running, as far as this process knows. */
  readonly isWriting: (table: TableDefinition) => boolean;
  /** Milliseconds since the stamp last changed; 0 while statements that write to one of the tables are running. */
  readonly unchangedMs: (tables: readonly TableDefinition[]) => number;
};

type Count = { changes: number; at: number; running: number };

/** Stands for an unknown table. */
const ANY = "";
const TARGET = /^\s*(?:INSERT INTO|ALTER TABLE|DELETE FROM|TRUNCATE TABLE|OPTIMIZE TABLE)\s+([a-z_][a-z0-9_]*)/i;

/** Returns the table that a statement writes to, if it names one. */
export const writtenTable = ({ text }: Sql): string | undefined => TARGET.exec(text)?.[1];

const countsFrom =
  (began: number) =>
  (counts: Map<string, Count>, name: string): Count => {
    const found = counts.get(name) ?? { changes: 0, at: began, running: 0 };
    counts.set(name, found);
    return found;
  };

type CountsOf = (table: TableDefinition) => readonly Count[];

// Both are called several times a request, so they allocate nothing.
function sumOf(tables: readonly TableDefinition[], countsOf: CountsOf): number {
  let sum = 0;
  for (const table of tables) for (const { changes } of countsOf(table)) sum += changes;
  return sum;
}

/** When one of the tables last changed; undefined while one may. */
function lastOf(tables: readonly TableDefinition[], countsOf: CountsOf): number | undefined {
  let last = 0;
  for (const table of tables)
    for (const { at, running } of countsOf(table)) {
      if (running > 0) return undefined;
      last = Math.max(last, at);
    }
  return last;
}

/** Counts how often tables changed, as far as this process knows. `clock` gives milliseconds since any fixed time. */
export function createChangeCounts(clock: () => number = () => performance.now()): ChangeCounts {
  const began = clock();
  const reported = new Map<string, Count>();
  const rewritten = new Map<string, Count>();
  /** Only running work is counted here, since it reports its own changes. */
  const stored = new Map<string, Count>();
  const watchers: Reported[] = [];
  const countIn = countsFrom(began);
  const raise = (count: Count): void => {
    count.changes += 1;
    count.at = clock();
  };
  const outdated: Reported = ({ name }) => raise(countIn(reported, name));
  const known = new WeakMap<TableDefinition, readonly Count[]>();
  /** The counts of a table, of its additional sort orders, and of statements that name no table. */
  const countsOf = (table: TableDefinition): readonly Count[] => {
    const found = known.get(table);
    if (found !== undefined) return found;
    const rewrites = [table.name, ...Object.keys(table.copies ?? {}), ANY].map((name) => countIn(rewritten, name));
    const counts = [countIn(reported, table.name), ...rewrites];
    known.set(table, counts);
    return counts;
  };
  return {
    outdated,
    changed: (table, left) => {
      outdated(table);
      for (const watcher of watchers) watcher(table, left);
    },
    storing: async ({ name }, work) => {
      const count = countIn(stored, name);
      count.running += 1;
      try {
        return await work();
      } finally {
        count.running -= 1;
      }
    },
    isWriting: (table) =>
      (stored.get(table.name)?.running ?? 0) > 0 || countsOf(table).some(({ running }) => running > 0),
    rewriting: async (statement, work) => {
      const count = countIn(rewritten, writtenTable(statement) ?? ANY);
      count.running += 1;
      try {
        return await work();
      } finally {
        count.running -= 1;
        raise(count);
      }
    },
    onChanged: (watcher) => void watchers.push(watcher),
    stampOf: (tables) => sumOf(tables, countsOf),
    ownStampOf: ({ name }) => reported.get(name)?.changes ?? 0,
    unchangedMs: (tables) => {
      const last = lastOf(tables, countsOf);
      return last === undefined ? 0 : clock() - Math.max(began, last);
    },
  };
}
