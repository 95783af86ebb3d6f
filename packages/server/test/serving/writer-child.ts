// Writes batch after batch until it is killed; the mark of each is its number.
import { ServingWriter } from "../../src/serving/writer.ts";
import { BATCH_ROWS, fillsTable, numberedBatch } from "./fills.ts";

const index = ServingWriter.open(process.argv[2] as string, fillsTable);
for (let number = Number(index.mark()?.toString() ?? 0) + 1; ; number += 1) {
  const adds = index.batch();
  for (const row of numberedBatch(number)) adds.add(row);
  // Each batch removes the last row of the one before.
  const removes = number === 1 ? [] : [index.page({ limit: 1, budget: 1 }).last as Buffer];
  index.apply({ adds, removes, mark: Buffer.from(String(number)) });
  if (adds.rows.count !== BATCH_ROWS) throw new Error("a batch is not whole");
}
