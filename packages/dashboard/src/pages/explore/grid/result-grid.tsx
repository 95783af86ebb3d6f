import type { Row } from "@almanac/client";
import { useId, useState, type ReactElement } from "react";
import type { Dataset } from "../../../explore/dataset.ts";
import { CellInspector } from "./cell-inspector.tsx";
import { ColumnChooser } from "./column-chooser.tsx";
import { GridCells } from "./grid-cells.tsx";
import { GridToolbar } from "./grid-toolbar.tsx";
import type { Place } from "./place.ts";
import { useGridRows } from "./use-grid-rows.ts";

interface ResultGridProps {
  readonly caption: string;
  readonly dataset: Dataset;
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** The rows of an answer: sorted, with the columns one chose, and one cell active that is shown whole below. */
export function ResultGrid({ caption, dataset, rows, hasMore }: ResultGridProps): ReactElement {
  const id = useId();
  const grid = useGridRows(dataset.row, rows);
  const [isTall, setIsTall] = useState(false);
  const [chosen, setActive] = useState<Place>({ row: -1, column: 0 });
  const { sorted, shown } = grid;
  const active = {
    row: Math.min(chosen.row, sorted.length - 1),
    column: Math.min(chosen.column, shown.length - 1),
  };
  return (
    <div className="border-t border-line">
      <GridToolbar
        sort={grid.sort}
        hasMore={hasMore}
        onUnsort={grid.unsort}
        isTall={isTall}
        onTall={() => setIsTall(!isTall)}
      >
        <ColumnChooser columns={dataset.row} hidden={grid.hidden} onChange={grid.setHidden} />
      </GridToolbar>
      <GridCells id={id} caption={caption} grid={grid} isTall={isTall} active={active} onActive={setActive} />
      <CellInspector
        id={`${id}-inspector`}
        column={shown[active.column]}
        row={active.row < 0 ? undefined : sorted[active.row]}
        index={active.row}
        formula={dataset.formula}
      />
    </div>
  );
}
