import type { Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { Agent } from "undici";
import { sql, type Sql } from "../../definition/sql.ts";
import { CLUSTER_SETTINGS } from "../cluster/cluster-node.ts";
import type { Address, Settings } from "../connection.ts";
import { closeIdle } from "../lanes.ts";
import { toNumbered, StoreError } from "../statement.ts";

/**
 * Streams rows in the engine's binary formats, so that this process never buffers them completely. Throws StoreError.
 */
export type RowPipe = {
  /** The statement names its FORMAT. An error while reading breaks the stream off. */
  readonly read: (statement: Sql, settings?: Settings) => Promise<Readable>;
  /** `INSERT INTO … FORMAT …`; resolves when every row is stored. */
  readonly write: (statement: Sql, rows: Readable, settings?: Settings) => Promise<void>;
  /** Runs a statement without a result on the engine that `read` uses: for tables that only this engine has. */
  readonly run: (statement: Sql, settings?: Settings) => Promise<void>;
  /** Reads a few rows as objects. */
  readonly rows: <T extends Record<string, unknown>>(statement: Sql) => Promise<T[]>;
  readonly close: () => Promise<void>;
};

const READING: Settings = {
  ...CLUSTER_SETTINGS,
  max_execution_time: 0,
  max_threads: 1,
  max_memory_usage: 4_000_000_000,
  output_format_parquet_compression_method: "zstd",
  output_format_parquet_row_group_size: 100_000,
};
const WRITING: Settings = {
  ...CLUSTER_SETTINGS,
  max_execution_time: 0,
  max_threads: 1,
  max_insert_threads: 1,
  max_memory_usage: 4_000_000_000,
  min_insert_block_size_bytes: 67_108_864,
  max_partitions_per_insert_block: 0,
};
const MAX_COMPLAINT = 4000;

/** Opens a pipe that streams rows out of and into the engine; `address` is called for every statement. */
export function openRowPipe(address: () => Address): RowPipe {
  const agent = new Agent({ connections: 4, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, ...closeIdle() });
  const ask = async (
    text: string,
    parameters: readonly (readonly [string, string])[],
    settings: Settings,
    rows?: Readable,
  ) => {
    const { url, user, password, database } = address();
    const query = new URLSearchParams({ database });
    for (const [name, value] of Object.entries(settings)) query.set(name, String(value));
    for (const [name, value] of parameters) query.set(name, value);
    if (rows) query.set("query", text);
    const headers = { "x-clickhouse-user": user, "x-clickhouse-key": password };
    const path = `/?${query.toString()}`;
    const {
      statusCode,
      headers: reported,
      body,
    } = await agent
      .request({ origin: new URL(url).origin, method: "POST", path, headers, body: rows ?? text })
      .catch((cause: unknown) => {
        throw StoreError.unanswered(`the engine at ${url}`, cause);
      });
    if (statusCode === 200) return body;
    const complaint = (await body.text()).slice(0, MAX_COMPLAINT);
    throw StoreError.fromNumber(Number(reported["x-clickhouse-exception-code"] ?? 0), complaint);
  };
  const read: RowPipe["read"] = async (statement, settings = {}) => {
    const { text, parameters } = toNumbered(statement);
    return await ask(text, parameters, { ...READING, ...settings });
  };
  const change = async (statement: Sql, settings: Settings, rows?: Readable): Promise<void> => {
    const { text, parameters } = toNumbered(statement);
    const body = await ask(text, parameters, { ...WRITING, ...settings }, rows);
    const said = await body.text();
    if (said !== "") throw new StoreError("failed", 0, said.slice(0, MAX_COMPLAINT));
  };
  return {
    read,
    write: (statement, rows, settings = {}) => change(statement, settings, rows),
    run: (statement, settings = {}) => change(statement, settings),
    rows: async <T extends Record<string, unknown>>(statement: Sql) => {
      const said = await readText(await read(sql`${statement} FORMAT JSONEachRow`));
      const lines = said.split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line) as T);
    },
    close: () => agent.close(),
  };
}
