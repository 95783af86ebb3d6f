import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { bind, fromDefinition, sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { askInfos, openTokenLookups, type TokenSource } from "../../src/query/served/token-lookups.ts";
import { openTokenIndex, type OpenTokenIndex } from "../../src/serving/feed/open-token-index.ts";
import { openFeedThread, type FeedThread } from "../../src/serving/feed/thread/feed-thread.ts";
import { TokenIndex } from "../../src/serving/token-index.ts";
import type { TokenReader } from "../../src/serving/token-reader.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { hex, table } from "../fixtures/sample-rows.ts";
import { drawOf } from "./random-fills.ts";

const tokens = table("polymarket_tokens");
const draw = drawOf(seededRandom());
const folder = mkdtempSync(join(tmpdir(), "almanac-tokens-"));
const log = { info: () => undefined, error: () => undefined };
const thread = openFeedThread();
const BATCHES = thoroughly(10, 4);
const SLUGS = ["", "rain", "rain-2", "rai", "Köln \0😀", "x".repeat(3000)];
let store: OpenStore;
let index: OpenTokenIndex;
let statements = 0;

beforeAll(async () => {
  store = await openTestStore();
  store.onChanged(({ name }, left) => name === tokens.name && index?.changed(left));
});
afterEach(() => index.close());
afterAll(async () => {
  await thread.end();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const some = (count: number): InsertRow[] =>
  [
    ...new Set(
      Array.from({ length: count }, () => String(draw.below(3) === 0 ? draw.below(400) : BigInt(draw.hex(32)))),
    ),
  ].map((token_id) => ({
    token_id,
    condition_id: hex(draw.below(40)),
    outcome_index: draw.below(3) === 0 ? 255 : draw.below(2),
    outcome: ["Yes", "No", "", 'a "b" \\ \u0001'][draw.below(4)],
    slug: SLUGS[draw.below(SLUGS.length)],
  }));

const onDamage = vi.fn<(table: string) => void>();

function open(name: string, over: Pick<OpenStore, "read" | "rows"> = store, on: FeedThread = thread): OpenTokenIndex {
  return (index = openTokenIndex({
    store: over,
    table: tokens,
    folder: join(folder, name),
    thread: on,
    log,
    onDamage,
  }));
}

async function caughtUp(): Promise<TokenReader> {
  await expect.poll(() => index.reader(), { interval: 10, timeout: 20_000 }).toBeDefined();
  return index.reader() as TokenReader;
}

/** Compares index and store for every token, and for every condition and slug that any token ever had. */
async function checkWhole(): Promise<void> {
  const reader = await caughtUp();
  const rows = await store.rows<Record<string, string>>(
    fromDefinition(
      "SELECT toString(token_id) AS token, concat('0x', lower(hex(condition_id))) AS condition_id, outcome_index, outcome, slug FROM polymarket_tokens FINAL",
    ),
  );
  const infos = reader.infosOf(rows.map(({ token = "" }) => token));
  expect(rows.map(({ token = "" }) => ({ token, ...infos.get(token) }))).toEqual(rows);
  expect(reader.count()).toBe(rows.length);
  const listed = (column: string, value: string) =>
    rows
      .filter((row) => row[column] === value)
      .map(({ token = "" }) => token)
      .toSorted();
  for (const slug of SLUGS) expect(reader.tokensOf("slug", slug)?.toSorted(), slug).toEqual(listed("slug", slug));
  for (let at = 0; at < 40; at += 1)
    expect(reader.tokensOf("condition_id", hex(at))?.toSorted()).toEqual(listed("condition_id", hex(at)));
}

/** Lookups over the index that count the statements of the column engine. */
function lookupsOver(failed: TokenSource["failed"] = () => undefined) {
  const counting = {
    ...store,
    rows: ((...requested) => {
      statements += 1;
      return store.rows(...requested);
    }) as OpenStore["rows"],
  };
  return openTokenLookups(counting, tokens, () => {
    const reader = index.reader();
    return reader && { reader, failed };
  });
}

test("the index of tokens follows stored and changed rows", async () => {
  await store.insert(tokens, some(1500));
  open("whole");
  expect(index.reader()).toBeUndefined();
  expect(index.behindMs()).toBeUndefined();
  await checkWhole();
  for (let batch = 0; batch < BATCHES; batch += 1) {
    await store.insert(tokens, some(1 + draw.below(400)));
    if (batch % 3 === 0) await checkWhole();
  }
  await checkWhole();
});

test("removes a token from the lists of its previous condition and slug", async () => {
  const [one, two] = ["31", "32"].map((token_id) => ({
    token_id,
    condition_id: hex(901),
    outcome_index: 0,
    outcome: "Yes",
    slug: "old",
  }));
  open("whole");
  await store.insert(tokens, [one, two] as InsertRow[]);
  expect((await caughtUp()).tokensOf("slug", "old")?.toSorted()).toEqual(["31", "32"]);
  await store.insert(tokens, [{ ...one, condition_id: hex(902), slug: "new" }] as InsertRow[]);
  const reader = await caughtUp();
  expect(reader.tokensOf("slug", "old")).toEqual(["32"]);
  expect(reader.tokensOf("slug", "new")).toEqual(["31"]);
  expect(reader.tokensOf("condition_id", hex(901))).toEqual(["32"]);
  expect(reader.tokensOf("condition_id", hex(902))).toEqual(["31"]);
  expect(reader.infosOf(["31"]).get("31")).toEqual({
    condition_id: hex(902),
    outcome_index: 0,
    outcome: "Yes",
    slug: "new",
  });
  expect(reader.infosOf(["33333333"]).get("33333333")).toEqual({
    condition_id: "",
    outcome_index: 0,
    outcome: "",
    slug: "",
  });
});

test("an index that is opened again finds what changed while it was closed", async () => {
  open("whole");
  await caughtUp();
  await index.close();
  await store.insert(tokens, some(300));
  open("whole");
  await checkWhole();
  await index.close();
  await store.alter(fromDefinition("DELETE FROM polymarket_tokens WHERE token_id % 11 = 0"));
  open("whole");
  await checkWhole();
});

test("rebuilds an index after an interrupted build, and one whose file is not a database", async () => {
  const cut = new TokenIndex(join(folder, "cut"));
  cut.put([{ token: Buffer.alloc(32, 9), condition: Buffer.alloc(32), outcomeIndex: 1, outcome: "", slug: "gone" }]);
  cut.close();
  open("cut");
  await checkWhole();
  expect((await caughtUp()).tokensOf("slug", "gone")).toEqual([]);
  await index.close();
  mkdirSync(join(folder, "torn", "1"), { recursive: true });
  writeFileSync(join(folder, "torn", "1", "index.db"), Buffer.alloc(9000, "no"));
  open("torn");
  await checkWhole();
});

test.each(["reader", "writer"])("counts damage that the %s finds, and rebuilds the file", async (by) => {
  open("damaged");
  await checkWhole();
  await index.close();
  const file = join(folder, "damaged", "1", "index.db");
  const database = new DatabaseSync(file);
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
  const bytes = readFileSync(file);
  // Changes values and keys of every page but the first, which is read at opening.
  for (let at = 4096 + 2048; at < bytes.length; at += 128) bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(file, bytes);
  onDamage.mockClear();
  open("damaged");
  if (by === "writer") await store.insert(tokens, some(300));
  else
    try {
      for (const slug of SLUGS) (await caughtUp()).tokensOf("slug", slug);
      (await caughtUp()).infosOf(some(300).map(({ token_id }) => String(token_id)));
    } catch (cause) {
      index.failed(cause);
    }
  await expect.poll(() => onDamage.mock.calls).toEqual([[tokens.name]]);
  await checkWhole();
});

test("an index that is closed during its build stops, and is complete the next time", async () => {
  open("ended");
  await index.close();
  expect(index.reader()).toBeUndefined();
  open("ended");
  await checkWhole();
});

test("reads the rebuilt file if the thread ends between the rebuild and its reply", async () => {
  let isKilled = false;
  /** Kills the thread when it has rebuilt the file of an index that was read before. */
  const killed: FeedThread = {
    ...thread,
    writer: (...given) => {
      const writer = thread.writer(...given);
      const apply: typeof writer.apply = async (...changes) => {
        const wasRead = index.behindMs() !== undefined;
        const outcome = await writer.apply(...changes);
        if (!outcome.isNew || !wasRead) return outcome;
        isKilled = true;
        await thread.end();
        throw new Error("the thread of the serving indexes ended");
      };
      return { ...writer, apply };
    },
  };
  open("killed", store, killed);
  await caughtUp();
  await store.alter(fromDefinition("DELETE FROM polymarket_tokens WHERE token_id % 7 = 0"));
  index.changed("unknown");
  await checkWhole();
  await store.insert(tokens, some(50));
  await checkWhole();
  expect(isKilled).toBe(true);
});

test("the engine keeps only the tokens in memory that were looked up", async () => {
  await store.reload("polymarket_token_info");
  const held = sql`SELECT toUInt32(element_count) AS tokens FROM system.dictionaries WHERE database = currentDatabase() AND name = 'polymarket_token_info'`;
  const infos = await askInfos(store, tokens, ["31", "77777777777"]);
  expect([infos.size, infos.get("77777777777")]).toMatchObject([2, { condition_id: "" }]);
  expect(await store.rows(held)).toEqual([{ tokens: 2 }]);
});

test("lookups query the column engine only if the index is behind or unreadable, with equal results", async () => {
  open("whole");
  const known = await caughtUp();
  await store.reload("polymarket_token_info");
  const requested = [...(known.tokensOf("condition_id", hex(7)) ?? []), "31", "77777777777"];
  const conditions = bind("Array(String)", [hex(7), hex(901), hex(99)]);
  const slugs = bind("Array(String)", ["rain", "nobody-knows"]);
  const ask = async (lookups = lookupsOver()) => [
    [...(await lookups.infoOf(requested))].toSorted(),
    (await lookups.tokensOf("condition_id", "condition", conditions)).toSorted(),
    (await lookups.tokensOf("slug", "text", slugs)).toSorted(),
  ];
  statements = 0;
  const byIndex = await ask();
  expect(statements).toBe(0);
  const lookups = lookupsOver();
  index.changed();
  expect(index.reader()).toBeUndefined();
  await lookups.infoOf(requested);
  expect(statements).toBe(1);
  // Statements find a token by its old values until the engine has merged its versions.
  await store.alter(fromDefinition("OPTIMIZE TABLE polymarket_tokens FINAL"));
  const byEngine = await ask(openTokenLookups(store, tokens, () => undefined));
  expect(byIndex).toEqual(byEngine);
  await caughtUp();
  await ask();
  expect(statements).toBe(1);
  const failures: unknown[] = [];
  const failing = openTokenLookups(store, tokens, () => ({
    reader: { infosOf: broken, tokensOf: broken },
    failed: (cause) => failures.push(cause),
  }));
  expect(await ask(failing)).toEqual(byEngine);
  expect(failures).toHaveLength(3);
});

test("a failure of the column engine leaves the index behind, and the read is retried", async () => {
  let failures = 2;
  open("failing", {
    ...store,
    read: (...given) => {
      if (failures-- > 0) throw new Error("the engine is away");
      return store.read(...given);
    },
  });
  await checkWhole();
  expect(failures).toBeLessThan(0);
});

const broken = (): never => {
  throw new Error("the disk is gone");
};
