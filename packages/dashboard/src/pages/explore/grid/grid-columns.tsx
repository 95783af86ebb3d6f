import type { Row } from "@almanac/client";
import { Link } from "react-router";
import { cellLink, cellText, isFigure, columnWidth, sortOf } from "../../../explore/cells.ts";
import type { DatasetColumn } from "../../../explore/dataset.ts";
import type { TableColumn } from "../../../ui/table-column.ts";

/** A dataset's columns for the grid, as wide as the rows need. */
export function gridColumns(columns: readonly DatasetColumn[], rows: readonly Row[]): TableColumn<Row>[] {
  return columns.map((column) => ({
    id: column.name,
    header: column.name,
    about: aboutColumn(column),
    align: isFigure(column.wire) ? "right" : "left",
    isMono: column.wire === "id" || column.wire === "iso",
    width: columnWidth(column, rows),
    ...sortOf(column),
    cell: (row) => {
      const to = cellLink(column.name, row[column.name]);
      const text = cellText(row[column.name], column);
      if (to === undefined) return text;
      return (
        <Link to={to} tabIndex={-1} className="text-accent hover:underline">
          {text}
        </Link>
      );
    },
  }));
}

export function aboutColumn({ wire, unit, nullable, about }: DatasetColumn): string {
  const kind = `${wire}${nullable ? " or null" : ""}`;
  return `${about} (${unit === null ? kind : `${unit}; ${kind}`})`;
}
