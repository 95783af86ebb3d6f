// Stores fills in its own engine, replacing some, and follows them with an index until it is killed.
import { join } from "node:path";
import { openIndex } from "../../src/serving/feed/open-index.ts";
import { openFeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import { servedFills } from "../../src/tables/served-fills.ts";
import { openMigratedStore } from "../fixtures/open-migrated-store.ts";
import { FILL_START, fill, hex, table } from "../fixtures/sample-rows.ts";

const [folder = "", first = "0"] = process.argv.slice(2);
const fills = table("polymarket_fills");
const store = await openMigratedStore(folder);
const index = openIndex({
  store,
  served: servedFills,
  table: fills,
  folder: join(folder, "serving"),
  maxBytes: async () => 1e9,
  thread: openFeedThread(),
  log: { info: () => undefined, error: () => undefined },
});
store.onChanged(({ name }, left) => name === fills.name && index.changed(left));
for (let batch = Number(first); ; batch += 1) {
  const rows = Array.from({ length: 40 }, (_, at) => fill(batch * 1000 + at, { ts: FILL_START + batch * 70 + at }));
  // Every third batch has a provisional row, whose final row follows immediately.
  const reported = fill(batch * 1000 + 500, { source: "data_api_v2", block_number: 0, ts: FILL_START + batch * 70 });
  await store.insert(fills, batch % 3 === 0 ? [...rows, reported] : rows);
  if (batch % 3 === 0)
    await store.insert(fills, [{ ...reported, order_hash: hex(900_000 + batch), source: "chain_v2", block_number: 5 }]);
  if (index.behindMs() !== undefined) process.stdout.write(`${batch}\n`);
}
