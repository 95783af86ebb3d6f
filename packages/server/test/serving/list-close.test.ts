import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { polymarketTagsDataset } from "../../src/datasets/polymarket-tags.ts";
import { openList } from "../../src/serving/list/open-list.ts";
import type { Store } from "../../src/store/store.ts";
import { polymarketTags } from "../../src/tables/polymarket-tags.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { drawOf } from "./random-fills.ts";
import { randomLists } from "./random-lists.ts";

const folder = mkdtempSync(join(tmpdir(), "almanac-list-close-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a list closed during an update closes its file once, after the update", async () => {
  const store = await openTestStore();
  const { tags } = randomLists(drawOf(seededRandom()));
  await store.insert(polymarketTags, [tags.row(0), tags.row(1)]);
  let held: Promise<void> | undefined;
  let reads = 0;
  const slow: Pick<Store, "read" | "rows"> = {
    rows: store.rows,
    read: async (...given) => {
      reads += 1;
      await held;
      return store.read(...given);
    },
  };
  const log = { info: () => undefined, error: () => undefined };
  const list = openList({ store: slow, dataset: polymarketTagsDataset, folder, log });
  await expect.poll(() => list.reader()?.list.count()).toBe(2);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  held = promise;
  const before = reads;
  list.changed();
  await expect.poll(() => reads).toBeGreaterThan(before);
  const closed = list.close();
  release();
  await expect(closed).resolves.toBeUndefined();
  await store.close();
});
