import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decoding } from "../growth/decode-frames.ts";
import { measureFrames } from "../growth/frames.ts";
import { growFills, type FillsSize } from "../growth/grow-fills.ts";
import { paperFrames } from "../growth/paper-frames.ts";

const MIGRATIONS = join(import.meta.dirname, "../../packages/server/migrations");
const MOST_MS = 600_000;
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "almanac-growth-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("made-up frames are such that no book of either venue is lost", { timeout: MOST_MS }, () => {
  for (const feed of paperFrames(600)) {
    expect(feed.frames).toHaveLength(600);
    const { rows, broken } = decoding(feed).decode(feed.frames);
    expect(broken).toBe(0);
    expect(new Set(rows.flatMap((part) => part.rows.map((row) => row["venue"] ?? feed.venue)))).toEqual(
      new Set([feed.venue]),
    );
    const kinds = rows.flatMap((part) => part.rows.map((row) => row["kind"]));
    expect(kinds).toContain("change");
    expect(kinds).toContain("snapshot");
  }
});

test("frames of both venues are measured and stored; what is absent is said", { timeout: MOST_MS }, async () => {
  const options = { folder: join(folder, "frames"), migrations: MIGRATIONS, recorded: join(folder, "none") };
  const { feeds, absent } = await measureFrames({ ...options, most: 300, batch: 100 });
  expect(feeds.map(({ venue }) => venue)).toEqual(["polymarket", "kalshi"]);
  for (const feed of feeds) {
    expect(feed).toMatchObject({ frames: 300, broken: 0 });
    for (const value of [feed.decode_us_a_change, feed.engine_us_a_change, feed.heap_bytes_a_frame])
      expect(value).toBeGreaterThan(0);
  }
  expect(absent).toHaveLength(2);
});

test("made-up fills are whole in every order, and every page has rows", { timeout: MOST_MS }, async () => {
  const options = { folder: join(folder, "fills"), migrations: MIGRATIONS, turns: 2 };
  const sizes = await growFills({ ...options, sizes: [20_000, 50_000] });
  expect(sizes.map(({ fills }) => fills)).toEqual([20_000, 50_000]);
  for (const size of sizes) {
    expect(ordersOf(size)).toEqual([size.fills, size.fills, size.fills]);
    expect(size.pages).toHaveLength(8);
    for (const page of size.pages) {
      expect(page.answered).toBeGreaterThan(0);
      expect(page.memory_mib).toBeGreaterThanOrEqual(1);
    }
    expect(size.dictionary.tokens).toBeGreaterThan(100);
  }
});

const ordersOf = ({ tables }: FillsSize): number[] =>
  tables.filter(({ table }) => table.startsWith("polymarket_fills")).map(({ rows }) => rows);
