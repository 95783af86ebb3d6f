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
  /** Is called on `changed`. */
  readonly onChanged: (told: Told) => void;
  /** Differs after any of both. */
  readonly stampOf: (tables: readonly TableDefinition[]) => string;
};

/** Counts how often tables changed, as far as this process knows. */
export function createChangeCounts(): ChangeCounts {
  const counts = new Map<string, number>();
  const watchers: Told[] = [];
  const outdated: Told = ({ name }) => void counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    outdated,
    changed: (table, left) => {
      outdated(table);
      for (const told of watchers) told(table, left);
    },
    onChanged: (told) => void watchers.push(told),
    stampOf: (tables) => tables.map(({ name }) => counts.get(name) ?? 0).join(" "),
  };
}
