import type { Row } from "@almanac/client";
import { memo, type ReactElement } from "react";
import { cellLink } from "../../../explore/cell-link.ts";
import { cellText, isFigure } from "../../../explore/cell-text.ts";
import type { DatasetColumn } from "../../../explore/dataset.ts";
import { ACTIVE_CLASS } from "./grid-head.tsx";
import { cellId } from "./place.ts";

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
}

/** Presses are heard by the grid, so that a cell costs little more than its text. */
function Cells({ id, row, index, top, columns, from, to, lefts, activeColumn }: GridRowProps): ReactElement {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      style={{ top }}
      className="absolute left-0 h-8 w-full border-b border-line contain-strict hover:bg-sunken"
    >
      {columns.slice(from, to).map((column, offset) => {
        const place = from + offset;
        const left = lefts[place] ?? 0;
        const value = row[column.name];
        const link = cellLink(column.name, value);
        const text = cellText(value, column);
        return (
          <div
            key={column.name}
            id={cellId(id, { row: index, column: place })}
            role="gridcell"
            aria-colindex={place + 1}
            style={{ left, width: (lefts[place + 1] ?? 0) - left }}
            className={`${classOf(column)} ${activeColumn === place ? `bg-accent-soft ${ACTIVE_CLASS}` : ""}`}
          >
            {link === undefined ? (
              text
            ) : (
              <a href={link} tabIndex={-1} className="text-accent hover:underline">
                {text}
              </a>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Drawn again only when something of it changed, not for each step of a scroll. */
export const GridRow = memo(Cells);

const CELL = "absolute inset-y-0 truncate px-3 leading-8 [unicode-bidi:isolate]";

function classOf({ wire }: DatasetColumn): string {
  if (isFigure(wire)) return `${CELL} text-right tabular-nums`;
  return wire === "id" || wire === "iso" ? `${CELL} font-mono text-xs` : CELL;
}
