import { randomUUID } from "node:crypto";

/** Rows that a statement reads as a table of this name: they are sent along with it. */
export type SentTable = {
  readonly name: string;
  readonly structure: string;
  /** Of the engine's; JSON of one row a line when absent. */
  readonly format?: string;
  readonly rows: Buffer;
};

/** A table as the engine takes it over HTTP: a file of a form, which the address of the request describes. */
export function formOf({ name, structure, format = "JSONEachRow", rows }: SentTable): {
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
} {
  const boundary = randomUUID();
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n`;
  return {
    query: { [`${name}_format`]: format, [`${name}_structure`]: structure },
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), rows, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
