import { Readable } from "node:stream";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { Connector, ReplayedPage, TableRows } from "../../definition/connector.ts";
import { readPage, type RefusedRow } from "../../definition/read-page.ts";
import { readRowsAhead } from "../../definition/rows-of.ts";
import { readBody } from "../feed/read-body.ts";
import type { InsertRow } from "../../definition/table.ts";
import type { WrongShape } from "../../definition/wrong-shape.ts";
import type { RecordsSchema } from "../../records/schema.ts";

export type ParkedRow = Selectable<RecordsSchema["parked"]>;

/** The result of reading a parked page with the current parser. */
export type PageAgain =
  | { readonly kind: "read"; readonly rows: readonly TableRows[]; readonly left: LeftOver | undefined }
  | { readonly kind: "wrong"; readonly wrong: WrongShape }
  /** Its stream cannot make rows from a single page: a walk over its time reads it. */
  | { readonly kind: "walk" };

/** Rows of the page that are still wrong. */
export type LeftOver = { readonly refused: readonly RefusedRow[]; readonly wrong: WrongShape };

class WrongPage extends Error {
  readonly wrong: WrongShape;

  constructor(wrong: WrongShape) {
    super(wrong.problem);
    this.wrong = wrong;
  }
}

/** Reads a parked page with the current schemas, a long one in parts; nothing is stored. */
export async function replayPage(connector: Connector, parked: ParkedRow): Promise<PageAgain> {
  const value = await readParked(parked.body);
  if (parked.route === "rows") return refusedByStore(connector, parked, value);
  if (connector.replay === undefined) return { kind: "walk" };
  const given = { path: parked.path, receivedMs: parked.parked_at.getTime() };
  await readRowsAhead(schemaOf(connector.replay, given), value);
  let left: LeftOver | undefined;
  const read: ReplayedPage["read"] = (reply) => {
    const page = readPage(reply, value);
    if (page.kind === "refused") throw new WrongPage(page.wrong);
    if (page.kind === "partial") left = { refused: page.refused, wrong: page.wrong };
    return page.data;
  };
  try {
    const rows = connector.replay({ ...given, read });
    return { kind: "read", rows: rows.map(unlessKnown), left };
  } catch (error) {
    if (error instanceof WrongPage) return { kind: "wrong", wrong: error.wrong };
    const problem = error instanceof Error ? error.message : String(error);
    return { kind: "wrong", wrong: { field: "(the whole page)", problem, sample: parked.body.slice(0, 200) } };
  }
}

/** An old page must not override what was read since: in tables with versions only absent rows are stored. */
function unlessKnown(rows: TableRows): TableRows {
  return rows.table.engine === "MergeTree" ? rows : { ...rows, mode: "if_absent" };
}

/** Rows that were read but that the store rejected. */
function refusedByStore(connector: Connector, { path }: ParkedRow, value: unknown): PageAgain {
  const table = [...connector.tables, ...(connector.addsTo ?? [])].find(({ name }) => name === path);
  if (table === undefined) {
    return { kind: "wrong", wrong: { field: "(rows)", problem: `table ${path} no longer exists`, sample: "" } };
  }
  return { kind: "read", rows: [unlessKnown({ table, rows: value as InsertRow[] })], left: undefined };
}

/** The schema by which the stream reads a page; one that accepts anything if it does not get that far. */
function schemaOf(replay: NonNullable<Connector["replay"]>, given: Omit<ReplayedPage, "read">): z.ZodType {
  let requested: z.ZodType = z.unknown();
  const read: ReplayedPage["read"] = (reply) => {
    requested = reply;
    throw new Error("asked");
  };
  try {
    replay({ ...given, read });
  } catch {
    return requested;
  }
  return requested;
}

async function readParked(body: string): Promise<unknown> {
  const read = await readBody(Readable.from([Buffer.from(body)]), Number.POSITIVE_INFINITY);
  return read.over === undefined ? await read.json().catch(() => body) : body;
}
