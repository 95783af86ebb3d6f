import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { Listed } from "../../definition/listed.ts";
import type { Bound } from "../../definition/sql.ts";
import { findRows } from "../../serving/list/find-rows.ts";
import type { HeldList } from "../../serving/list/held-list.ts";
import type { CurrentList } from "../../serving/list/open-list.ts";
import type { FormatType } from "../answer.ts";
import { etagOf, type PageBytes, type PageOf } from "../read-page.ts";
import { PageBuffer } from "./page-buffer.ts";

/** The list of a table, with all stored rows. */
export type ListSource = CurrentList & {
  /** Called with the reason a read failed; the query then falls back to the engine. */
  readonly failed: (cause: unknown) => void;
};

/** Returns the source of a table by name; undefined if none is available now. */
export type ListSources = (table: string) => ListSource | undefined;

/** `snapshot`: the version of the newest stored row, used by a walk from this page. */
export type ListedPage = PageBytes & { readonly snapshot: string; readonly asOf: undefined };

/** Answers a page from a list of rows; undefined if the engine must answer. */
export type ReadListed = (
  dataset: DatasetDefinition,
  given: Readonly<Record<string, Bound>>,
  page: PageOf,
) => Promise<ListedPage | undefined>;

const MAX_OFFSET = 5_000;
const COMMA = 0x2c;
const NEWLINE = 0x0a;
const FORMATS: ReadonlySet<FormatType> = new Set(["raw", "typed", "ndjson"]);

export function openReadListed(sources: ListSources): ReadListed {
  const out = new PageBuffer();
  return (dataset, given, page) => {
    const { listed } = dataset;
    if (listed === undefined || !FORMATS.has(page.format) || page.offset > MAX_OFFSET)
      return Promise.resolve(undefined);
    const source = sources(listed.table.name);
    // A walk continues on the snapshot of its first page, but the list has only the newest versions.
    const isOther = page.cursor !== undefined && String(page.cursor.snapshot.value) !== String(source?.version);
    if (source === undefined || isOther) return Promise.resolve(undefined);
    try {
      return Promise.resolve(pageOf(source, listed, { given, page, out }));
    } catch (cause) {
      source.failed(cause);
      return Promise.resolve(undefined);
    }
  };
}

type Requested = {
  readonly given: Readonly<Record<string, Bound>>;
  readonly page: PageOf;
  readonly out: PageBuffer;
};

function pageOf(
  { list, version }: CurrentList,
  listed: Listed,
  { given, page, out }: Requested,
): ListedPage | undefined {
  const order = listed.order(given);
  const [first] = order;
  const after = page.cursor?.after.at(-1);
  const depth = page.offset + page.limit + 1;
  const found = findRows(list, {
    tests: listed.tests(given).filter((test) => test !== undefined),
    by: order.length === 1 ? undefined : first?.field,
    direction: first?.direction ?? "asc",
    after: after === undefined ? undefined : String(after),
    depth,
  });
  if (found === undefined) return undefined;
  const rows = found.slice(page.offset, page.offset + page.limit);
  const body = bodyOf(list.file, rows, page.format, out);
  const hasMore = found.length === depth;
  const end = rows.at(-1);
  const read = hasMore && end !== undefined ? list.file.shown(end).toString("utf8") : undefined;
  const keys = read === undefined ? undefined : (JSON.parse(read) as Record<string, unknown>);
  return {
    body,
    rowCount: rows.length,
    hasMore,
    last: keys && order.map((key) => key.value(keys)),
    etag: etagOf(body, hasMore, page),
    snapshot: String(version),
    asOf: undefined,
  };
}

function bodyOf(file: HeldList["file"], rows: readonly number[], format: FormatType, out: PageBuffer): Buffer {
  const isLines = format === "ndjson";
  out.begin();
  if (!isLines) out.text("[");
  for (const [index, row] of rows.entries()) {
    const text = file.shown(row);
    out.reserve(text.length + 2);
    if (index > 0) out.bytes[out.at++] = isLines ? NEWLINE : COMMA;
    out.bytes.set(text, out.at);
    out.at += text.length;
  }
  if (!isLines || rows.length > 0) out.text(isLines ? "\n" : "]");
  return out.end();
}
