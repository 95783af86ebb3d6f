import type { Row } from "@almanac/client";
import { memo, type ReactElement } from "react";
import { Link } from "react-router";
import { cellLink } from "../../../explore/cell-link.ts";
import { cellText, isFigure } from "../../../explore/cell-text.ts";
import type { DatasetColumn } from "../../../explore/dataset.ts";
import { ACTIVE_CLASS } from "./grid-head.tsx";
import { cellId, type Place } from "./place.ts";

interface GridRowProps {
  readonly id: string;
  readonly row: Row;
  readonly index: number;
  readonly top: number;
  readonly columns: readonly DatasetColumn[];
  /** The columns in sight. */
  readonly from: number;
  readonly to: number;
  readonly lefts: readonly number[];
  readonly activeColumn: number;
  readonly onActive: (place: Place) => void;
}

function Cells(props: GridRowProps): ReactElement {
  const { id, row, index, top, columns, from, to, lefts, activeColumn, onActive } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      style={{ top }}
      className="absolute left-0 h-8 w-full border-b border-line hover:bg-sunken"
    >
      {columns.slice(from, to).map((column, offset) => {
        const place = { row: index, column: from + offset };
        const left = lefts[place.column] ?? 0;
        return (
          <div
            key={column.name}
            id={cellId(id, place)}
            role="gridcell"
            aria-colindex={place.column + 1}
            onPointerDown={() => onActive(place)}
            style={{ left, width: (lefts[place.column + 1] ?? 0) - left }}
            className={`absolute inset-y-0 truncate px-3 leading-8 [unicode-bidi:isolate] ${sideOf(column)} ${activeColumn === place.column ? `bg-accent-soft ${ACTIVE_CLASS}` : ""}`}
          >
            <Value column={column} value={row[column.name]} />
          </div>
        );
      })}
    </div>
  );
}

/** Drawn again only when something of it changed, not for each step of a scroll. */
export const GridRow = memo(Cells);

function sideOf({ wire }: DatasetColumn): string {
  if (isFigure(wire)) return "text-right tabular-nums";
  return wire === "id" || wire === "iso" ? "font-mono text-xs" : "";
}

function Value({ column, value }: { readonly column: DatasetColumn; readonly value: unknown }): ReactElement {
  const to = cellLink(column.name, value);
  const text = cellText(value, column);
  if (to === undefined) return <>{text}</>;
  return (
    <Link to={to} tabIndex={-1} className="text-accent hover:underline">
      {text}
    </Link>
  );
}
