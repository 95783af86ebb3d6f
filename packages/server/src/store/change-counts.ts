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
  readonly stampOf: (tables: readonly TableDefinition[]) => string;
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

/** Counts how often tables changed, as far as this process knows. `clock` gives milliseconds since any fixed time. */
export function createChangeCounts(clock: () => number = () => performance.now()): ChangeCounts {
  const began = clock();
  const reported = new Map<string, Count>();
  const rewritten = new Map<string, Count>();
  /** Only running work is counted here, since it reports its own changes. */
  const stored = new Map<string, Count>();
  const watchers: Reported[] = [];
  const countIn = (counts: Map<string, Count>, name: string): Count => {
    const found = counts.get(name) ?? { changes: 0, at: began, running: 0 };
    counts.set(name, found);
    return found;
  };
  const raise = (count: Count): void => {
    count.changes += 1;
    count.at = clock();
  };
  const outdated: Reported = ({ name }) => raise(countIn(reported, name));
  /** The counts of a table, of its additional sort orders, and of statements that name no table. */
  const countsOf = ({ name, copies = {} }: TableDefinition): (Count | undefined)[] => [
    reported.get(name),
    ...[name, ...Object.keys(copies), ANY].map((each) => rewritten.get(each)),
  ];
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
      (stored.get(table.name)?.running ?? 0) > 0 || countsOf(table).some((count) => (count?.running ?? 0) > 0),
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
    stampOf: (tables) =>
      tables.map((table) => countsOf(table).reduce((sum, count) => sum + (count?.changes ?? 0), 0)).join(" "),
    ownStampOf: ({ name }) => reported.get(name)?.changes ?? 0,
    unchangedMs: (tables) => {
      const counts = tables.flatMap(countsOf).filter((count) => count !== undefined);
      return counts.some(({ running }) => running > 0) ? 0 : clock() - Math.max(began, ...counts.map(({ at }) => at));
    },
  };
}
