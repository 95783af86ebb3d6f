import type { DatasetDefinition } from "../definition/dataset.ts";
import type { Bound } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";

/** The tables that hold the data requested from a dataset with these parameters. */
export const tablesOf = (
  { tables, tablesWith }: Pick<DatasetDefinition, "tables" | "tablesWith">,
  given: Readonly<Record<string, Bound>>,
): readonly TableDefinition[] =>
  tablesWith === undefined || given[tablesWith.param] === undefined ? tables : tablesWith.tables;

/** All tables from which an answer is read. */
export const sourcesOf = (
  dataset: DatasetDefinition,
  given: Readonly<Record<string, Bound>>,
): readonly TableDefinition[] => [
  ...tablesOf(dataset, given),
  ...(dataset.alsoReads ?? []),
  ...(dataset.held ? [dataset.held] : []),
];

/** All tables from which any answer of the dataset is read. */
export const allTables = ({ tables, tablesWith, alsoReads, held }: DatasetDefinition): readonly TableDefinition[] => [
  ...tables,
  ...(tablesWith?.tables ?? []),
  ...(alsoReads ?? []),
  ...(held ? [held] : []),
];
