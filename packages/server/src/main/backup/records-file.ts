import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { once } from "node:events";
import { dumpRecords, type RecordPage, type RecordSum } from "../../records/backup/dump-records.ts";
import type { Records } from "../../records/records.ts";

/** Writes all records into a compressed file, one page of one table per line, with backpressure from the disk. */
export async function writeRecordsFile(
  { db }: Pick<Records, "db">,
  file: string,
): Promise<Readonly<Record<string, RecordSum>>> {
  const packed = createGzip({ level: 1 });
  const written = pipeline(packed, createWriteStream(file, { mode: 0o600 }));
  written.catch(() => undefined);
  const sums = await dumpRecords(db, async ({ table, rows }) => {
    const line = `{"table":${JSON.stringify(table)},"rows":[${rows.map((row) => JSON.stringify(row)).join(",")}]}\n`;
    if (!packed.write(line)) await Promise.race([once(packed, "drain"), written]);
  });
  packed.end();
  await written;
  return sums;
}

/** Reads the pages of such a file in order. */
export async function* readRecordsFile(bytes: Buffer): AsyncGenerator<RecordPage> {
  const unpacked = Readable.from([bytes]).pipe(createGunzip());
  for await (const line of createInterface({ input: unpacked, crlfDelay: Infinity }))
    if (line !== "") yield JSON.parse(line) as RecordPage;
}
