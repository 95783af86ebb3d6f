import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { TruthWriter } from "../../src/truth/truth-writer.ts";
import { NOON, smallWorld } from "./small-world.ts";

describe("truth on disk", () => {
  const folder = mkdtempSync(join(tmpdir(), "truth-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const truth = new TruthWriter(folder, NOON - 3_600_000);
  const { world, happenings } = smallWorld();
  for (const happening of happenings) truth.listener(happening);
  truth.flush(world);
  const read = (file: string): Record<string, unknown>[] =>
    gunzipSync(readFileSync(join(folder, `${file}.jsonl.gz`)))
      .toString()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test("every happening is there once, books since serving began", () => {
    const counts = world.truth();
    expect(read("fills")).toHaveLength(counts.fills);
    const { splits, merges, conversions, redemptions, transfers } = counts;
    expect(read("operations")).toHaveLength(splits + merges + conversions + redemptions + transfers);
    expect(read("kalshi_trades")).toHaveLength(counts.kalshi_trades);
    expect(read("posts")).toHaveLength(counts.posts);
    const late = happenings.filter((h) => h.kind === "book" && h.ms >= NOON - 3_600_000);
    expect(read("book_changes").map((line) => line["seq"])).toEqual(late.map((h) => h.seq));
    expect(JSON.parse(readFileSync(join(folder, "counts.json"), "utf8"))).toMatchObject(counts);
  });

  test("wallets say what they are, a second flush does not double anything", () => {
    truth.flush(world);
    const wallets = read("wallets");
    expect(wallets).toEqual(world.walletTruth());
    expect(new Set(wallets.map((wallet) => wallet["style"]))).toEqual(
      new Set(["informed", "noise", "maker", "farmer", "sybil", "wash"]),
    );
    expect(read("income")).toEqual(world.income.all());
    expect(read("markets")).toHaveLength(world.polymarket.markets.length);
  });
});
