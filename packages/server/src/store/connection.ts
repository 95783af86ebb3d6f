import type { Pool } from "undici";
import { StoreError, type Numbered, toNumbered } from "./statement.ts";
import { openLanes, type Lane } from "./lanes.ts";
import { formOf, type SentTable } from "./sent-table.ts";
import { sql, type Sql } from "../definition/sql.ts";
import type { Store } from "./store.ts";

export type Address = {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
};
export type Settings = Readonly<Record<string, string | number>>;
export type Reply = { readonly bytes: Buffer; readonly writtenRows: number };

/** One engine over HTTP: statements in, bytes out. `send` throws StoreError. */
export type Connection = {
  readonly send: (
    statement: Numbered,
    more?: {
      settings?: Settings;
      data?: Buffer;
      /** A table sent along with the statement, which reads it. */
      sent?: SentTable;
      signal?: AbortSignal;
      /** The lane whose connections are used; "work" by default. */
      lane?: Lane;
      /** Called right before the statement is sent; it is not sent if this throws. */
      check?: (() => void) | undefined;
    },
  ) => Promise<Reply>;
  /** Waits for the statements in progress. */
  readonly close: () => Promise<void>;
  /** The engine is gone: every statement from now on, and those in progress, throws StoreError "absent". */
  readonly cut: () => void;
};

/**
 * An answer is sent once it is complete and is buffered in the engine's memory until then: by default it is buffered in
 * a file, and on a full disk the engine sends an empty answer with status 200.
 */
const WHOLE_ANSWER = { wait_end_of_query: "1", buffer_size: "268435456" };
/**
 * Our comparisons need no further ones derived from them, and deriving those takes a quarter of the planning time. With
 * FINAL, too, conditions on the key are tested before other columns are read: a tenth of the time for some wide rows.
 */
const PLANNING = { optimize_and_compare_chain: "0", optimize_move_to_prewhere_if_final: "1" };
/**
 * Characters of parameters; longer ones go in the body. In a URL the engine takes no field of more than 128 KiB as
 * encoded there, where one character may take nine bytes.
 */
const MAX_IN_ADDRESS = 12_000;
const NO_ANSWER = /FORMAT\s+Null\s*$/i;

export function connect(address: Address): Connection {
  const lanes = openLanes(new URL(address.url).origin);
  const headers = { "x-clickhouse-user": address.user, "x-clickhouse-key": address.password };
  return {
    send: async (statement, more = {}) => {
      const query = new URLSearchParams({ database: address.database, ...WHOLE_ANSWER, ...PLANNING });
      for (const [name, value] of Object.entries(more.settings ?? {})) query.set(name, String(value));
      const isLong = !more.data && lengthOf(statement.parameters) > MAX_IN_ADDRESS;
      if (!isLong) for (const [name, value] of statement.parameters) query.set(name, value);
      const form = isLong || more.sent ? formOf(isLong ? statement.parameters : [], more.sent) : undefined;
      for (const [name, value] of Object.entries(form?.query ?? {})) query.set(name, value);
      const data = more.data ?? form?.body;
      if (data) query.set("query", statement.text);
      more.check?.();
      const sent = { headers: { ...headers, ...form?.headers }, body: data ?? statement.text };
      const answer = await request(lanes.of(more.lane), `/?${query.toString()}`, sent, more.signal);
      if (answer.status !== 200) throw toStoreError(answer.headers["x-clickhouse-exception-code"], answer.bytes);
      const summary = readSummary(answer.headers["x-clickhouse-summary"]);
      const isEmpty = answer.bytes.length === 0 && !NO_ANSWER.test(statement.text);
      if (isEmpty && summary.result > 0 && summary.written === 0)
        throw new StoreError("disk_full", 0, `the engine lost an answer of ${summary.result} rows`);
      return { bytes: answer.bytes, writtenRows: summary.written };
    },
    close: lanes.close,
    cut: lanes.cut,
  };
}

const lengthOf = (parameters: Numbered["parameters"]): number =>
  parameters.reduce((sum, [, value]) => sum + value.length, 0);

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body: string | Buffer };

async function request(pool: Pool, path: string, { headers, body }: Sent, signal: AbortSignal | undefined) {
  try {
    const response = await pool.request({ method: "POST", path, headers, body, ...(signal ? { signal } : {}) });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: response.headers, bytes };
  } catch (cause) {
    if (signal?.aborted) throw new StoreError("cancelled", 0, "the statement was cancelled", cause);
    throw StoreError.unanswered("the engine", cause);
  }
}

function toStoreError(code: string | string[] | undefined, bytes: Buffer): StoreError {
  const number = Number(Array.isArray(code) ? code[0] : code);
  return StoreError.fromNumber(Number.isFinite(number) ? number : 0, bytes.toString("utf8", 0, 4_000));
}

/** Reads the numbers of rows written and of rows in the answer. */
function readSummary(summary: string | string[] | undefined): { readonly written: number; readonly result: number } {
  if (typeof summary !== "string") return { written: 0, result: 0 };
  const parsed = JSON.parse(summary) as { written_rows?: string; result_rows?: string };
  return { written: Number(parsed.written_rows ?? 0), result: Number(parsed.result_rows ?? 0) };
}

/** Executes our statements: a store, or one of its engines. */
export type Runner = Pick<Store, "run" | "rows">;

/** A single engine, whatever others there are. */
export function runnerOf(connection: Connection): Runner {
  return {
    run: async (statement) => {
      await connection.send(toNumbered(statement));
    },
    rows: <T extends Record<string, unknown>>(statement: Sql) => readLines<T>(connection, statement),
  };
}

/** Rows as objects; 64-bit integers come as text. */
export async function readLines<T>(connection: Connection, statement: Sql, signal?: AbortSignal): Promise<T[]> {
  const { bytes } = await connection.send(toNumbered(sql`${statement} FORMAT JSONEachRow`), signal ? { signal } : {});
  return bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
