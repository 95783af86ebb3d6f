import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ServingReader } from "../../src/serving/reader.ts";
import { ServingWriter } from "../../src/serving/writer.ts";
import { BATCH_ROWS, fillsTable, numberedBatch } from "./fills.ts";

const READS = 400;

/** The number of the last batch; checks that all trees hold it and what remains of earlier ones. */
function checkedMark(index: ServingReader): number {
  const wallets = [...new Set(numberedBatch(0).map((row) => String(row["wallet"])))];
  const tokens = [...new Set(numberedBatch(0).map((row) => String(row["token_id"])))];
  return index.read(() => {
    const mark = Number(index.mark()?.toString() ?? 0);
    const newest = index.page({ limit: 1, budget: 1 }).last?.readUInt32BE(0);
    expect(newest).toBe(mark === 0 ? undefined : 1000 + mark);
    const bounds = { limit: 1000, budget: 1000, from: 1000 + mark - 1 };
    const counts = [
      index.page(bounds),
      index.page({ ...bounds, by: { column: "wallet", values: wallets } }),
      index.page({ ...bounds, by: { column: "token_id", values: tokens } }),
    ].map(({ searched }) => searched);
    const wanted = mark === 0 ? 0 : mark === 1 ? BATCH_ROWS : BATCH_ROWS * 2 - 1;
    expect(counts).toEqual([wanted, wanted, wanted]);
    return mark;
  });
}

test("readers see complete batches while another process writes, and a killed writer leaves complete batches", async () => {
  const folder = mkdtempSync(join(tmpdir(), "almanac-serving-"));
  try {
    const child = spawn(process.execPath, [join(import.meta.dirname, "writer-child.ts"), folder], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    let opened: ServingReader | undefined;
    await expect.poll(() => (opened ??= ServingReader.open(folder, fillsTable)), { interval: 1 }).toBeDefined();
    const reader = opened as ServingReader;
    const marks = new Set<number>();
    let reads = 0;
    await expect
      .poll(
        () => {
          for (let read = 0; read < 20; read += 1) marks.add(checkedMark(reader));
          reads += 20;
          return reads >= READS && marks.size > 20;
        },
        { interval: 1, timeout: 120_000 },
      )
      .toBe(true);
    child.kill("SIGKILL");
    await ended;
    const last = checkedMark(reader);
    const writer = ServingWriter.open(folder, fillsTable);
    expect(checkedMark(writer)).toBe(last);
    const adds = writer.batch();
    for (const row of numberedBatch(last + 1)) adds.add(row);
    const removes = [writer.page({ limit: 1, budget: 1 }).last as Buffer];
    writer.apply({ adds, removes, mark: Buffer.from(String(last + 1)) });
    expect([checkedMark(writer), checkedMark(reader)]).toEqual([last + 1, last + 1]);
    expect(writer.page({ limit: 1e6, budget: 1e6 }).searched).toBe((last + 1) * BATCH_ROWS - last);
    writer.close();
    reader.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
