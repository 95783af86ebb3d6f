import type { StreamStatus } from "../../api/streams.ts";
import { BriefTimestamp } from "../../read/values.tsx";
import { showFigure } from "../../read/exact-figures.ts";
import { showSpan } from "../../read/value-text.ts";
import { figureColumn } from "../../read/columns.tsx";
import { Badge } from "../../ui/indicators.tsx";
import type { TableColumn } from "../../ui/table-column.ts";
import { streamRank, streamWords } from "./stream-tone.ts";

export const STREAM_COLUMNS: readonly TableColumn<StreamStatus>[] = [
  {
    id: "name",
    header: "Stream",
    isRowHeader: true,
    sortValue: (stream) => stream.name,
    cell: (stream) => (
      <span className="block max-w-72 min-w-44">
        <span className="block font-medium">{stream.name}</span>
        <span className="block text-xs text-ink-faint">{stream.title}</span>
        {stream.last_error === null || streamWords(stream).tone !== "bad" ? null : (
          <span className="mt-0.5 block text-xs break-words text-down">{stream.last_error}</span>
        )}
      </span>
    ),
  },
  {
    id: "state",
    header: "State",
    sortValue: (stream) => streamRank(stream),
    cell: (stream) => {
      const { tone, words } = streamWords(stream);
      return (
        <span title={stream.note ?? undefined}>
          <Badge tone={tone}>{words}</Badge>
        </span>
      );
    },
  },
  {
    id: "lag",
    header: "Lag",
    align: "right",
    about: "Age of the time up to which data is complete",
    sortValue: (stream) => stream.lag_seconds,
    cell: (stream) => showSpan(stream.lag_seconds),
  },
  {
    id: "rate",
    header: "Rows/s",
    align: "right",
    sortValue: (stream) => stream.rows_per_second,
    cell: (stream) => (stream.rows_per_second === null ? "–" : showFigure(Number(stream.rows_per_second.toFixed(1)))),
  },
  figureColumn("rows_stored", "Rows", { about: "Over all runs" }),
  {
    id: "gaps",
    header: "Open gaps",
    align: "right",
    about: "Spans with missing rows: those that may still be filled, and those that cannot be",
    sortValue: (stream) => stream.open_gaps,
    cell: (stream) =>
      stream.open_gaps === 0 ? (
        <span className="text-ink-faint">none</span>
      ) : (
        <span>
          {showFigure(stream.open_gaps)}
          <span className="block text-xs text-ink-faint">
            {showSpan(stream.fillable_gap_seconds + stream.unfillable_gap_seconds)}
            {stream.unfillable_gaps > 0 ? `, ${showFigure(stream.unfillable_gaps)} permanent` : ""}
          </span>
        </span>
      ),
  },
  {
    id: "errors",
    header: "Errors",
    align: "right",
    about: "In this run",
    sortValue: (stream) => stream.errors,
    cell: (stream) => (
      <span title={stream.last_error ?? undefined}>
        {stream.errors === null ? "–" : showFigure(stream.errors)}
        {stream.last_error_at === null ? null : (
          <span className="block text-xs text-ink-faint">
            <BriefTimestamp at={stream.last_error_at} />
          </span>
        )}
      </span>
    ),
  },
  figureColumn("parked_pages", "Parked", { about: "Pages of an unexpected shape that are waiting" }),
];
