import { randomUUID } from "node:crypto";

/** Rows that a statement reads as a table of this name; they are sent along with it. */
export type SentTable = {
  readonly name: string;
  readonly structure: string;
  /** A format of the engine; one JSON row per line when absent. */
  readonly format?: string;
  readonly rows: Buffer;
};

type Form = {
  /** URL parameters that describe a table sent along. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** Builds the multipart form of fields, and a table as a file, that the engine takes over HTTP. */
export function formOf(fields: readonly (readonly [string, string])[], table?: SentTable): Form {
  const boundary = randomUUID();
  const part = (described: string, content: string | Buffer): Buffer[] => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${described}\r\n\r\n`),
    typeof content === "string" ? Buffer.from(content) : content,
    Buffer.from("\r\n"),
  ];
  const parts = fields.flatMap(([name, value]) => part(`name="${name}"`, value));
  if (table) parts.push(...part(`name="${table.name}"; filename="${table.name}"`, table.rows));
  return {
    query: table ? describedBy(table) : {},
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

const describedBy = ({ name, structure, format = "JSONEachRow" }: SentTable): Form["query"] => ({
  [`${name}_format`]: format,
  [`${name}_structure`]: structure,
});
