import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storageXml } from "../../src/store/cold/cold-place.ts";
import { setLazyTables } from "../../src/store/embedded/start-engine.ts";

const PLAIN = "ATTACH DATABASE _ UUID '5c8bddcd-2df4-4fe3-a709-f73c1ad32ee2'\nENGINE = Atomic\n";

test("adds and removes the lazy-load setting in the engine's own format, and leaves unknown definitions unchanged", () => {
  const columns = mkdtempSync(join(tmpdir(), "almanac-lazy-"));
  try {
    setLazyTables(columns, "almanac", true);
    mkdirSync(join(columns, "metadata"));
    const file = join(columns, "metadata", "almanac.sql");
    writeFileSync(file, PLAIN);
    setLazyTables(columns, "almanac", true);
    expect(readFileSync(file, "utf8")).toBe(`${PLAIN}SETTINGS lazy_load_tables = 1\n`);
    setLazyTables(columns, "almanac", false);
    expect(readFileSync(file, "utf8")).toBe(PLAIN);
    const other = PLAIN.replace("Atomic", "Replicated('/x', 'a', 'b')");
    writeFileSync(file, other);
    setLazyTables(columns, "almanac", true);
    expect(readFileSync(file, "utf8")).toBe(other);
  } finally {
    rmSync(columns, { recursive: true, force: true });
  }
});

test("escapes the operator's values in the engine's configuration", () => {
  const place = { kind: "s3", url: "https://s3.example/b?a=1&b", keyId: "k", secret: "</x><y>&", region: "r" } as const;
  const xml = storageXml(place);
  expect(xml).toContain("<secret_access_key>&lt;/x&gt;&lt;y&gt;&amp;</secret_access_key>");
  expect(xml).toContain("<endpoint>https://s3.example/b?a=1&amp;b/</endpoint>");
});
