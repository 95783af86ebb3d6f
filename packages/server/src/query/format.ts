import type { Target } from "../definition/column.ts";
import type { FormatType } from "./answer.ts";

type Rendering = {
  readonly engine: string;
  readonly contentType: string;
  readonly columns: Target;
  readonly isDocument: boolean;
};

/**
 * How each format is produced: the engine's format, and the form of the columns it is made from; a document is the
 * complete body.
 */
export const RENDERINGS: Readonly<Record<FormatType, Rendering>> = {
  raw: { engine: "JSONEachRow", contentType: "application/json; charset=utf-8", columns: "raw", isDocument: false },
  typed: { engine: "JSONEachRow", contentType: "application/json; charset=utf-8", columns: "typed", isDocument: false },
  csv: {
    engine: "CSVWithNames",
    contentType: "text/csv; charset=utf-8; header=present",
    columns: "raw",
    isDocument: true,
  },
  ndjson: {
    engine: "JSONEachRow",
    contentType: "application/x-ndjson; charset=utf-8",
    columns: "raw",
    isDocument: true,
  },
  parquet: { engine: "Parquet", contentType: "application/vnd.apache.parquet", columns: "columnar", isDocument: true },
  arrow: {
    engine: "ArrowStream",
    contentType: "application/vnd.apache.arrow.stream",
    columns: "columnar",
    isDocument: true,
  },
};
