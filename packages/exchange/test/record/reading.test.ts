import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRecordings } from "../../src/record/open-recordings.ts";
import { readCsv } from "../../src/record/read-csv.ts";
import { readLines } from "../../src/record/read-lines.ts";
import { Shelf } from "../../src/record/shelf.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "exchange-reading-"));
});

afterAll(() => rm(folder, { recursive: true }));

const gather = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe("reading recordings", () => {
  it("streams lines of plain and packed files alike, letters of several bytes over a chunk's end too", async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `línea ${index} €`);
    await writeFile(join(folder, "a.txt"), `${lines.join("\r\n")}\n`);
    await writeFile(join(folder, "a.gz"), gzipSync(lines.join("\n")));
    expect(await gather(readLines(join(folder, "a.txt")))).toEqual(lines);
    expect(await gather(readLines(join(folder, "a.gz")))).toEqual(lines);
  });

  it("tells of a file that is missing or torn", async () => {
    await writeFile(join(folder, "torn.gz"), gzipSync("x".repeat(100_000)).subarray(0, 60));
    await expect(gather(readLines(join(folder, "none.gz")))).rejects.toThrow("ENOENT");
    await expect(gather(readLines(join(folder, "torn.gz")))).rejects.toThrow("unexpected end of file");
    expect(() => openRecordings(folder)).toThrow(`no recordings in ${folder}: polymarket/ is missing`);
  });

  it("takes quoted fields apart", async () => {
    await writeFile(join(folder, "a.csv"), 'a,b,c\n1,"x, ""y""",\n,2,3\n"",,"z"\n');
    expect(await gather(readCsv(join(folder, "a.csv")))).toEqual([
      { a: "1", b: 'x, "y"', c: "" },
      { a: "", b: "2", c: "3" },
      { a: "", b: "", c: "z" },
    ]);
  });

  it("shelves lines by key and gives them back in order", () => {
    const entry = fc.tuple(fc.constantFrom("a", "b"), fc.stringMatching(/^[a-z]{0,200}$/));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 50 }), (entries) => {
        const shelf = new Shelf();
        // Long enough for some of it to be packed.
        const padded = entries.map(([key, line]) => [key, line.repeat(100)] as const);
        for (const [key, line] of padded) shelf.add(key, line);
        for (const key of ["a", "b", "c"]) {
          expect(shelf.lines(key)).toEqual(padded.filter(([own]) => own === key).map(([, line]) => line));
        }
      }),
      { numRuns: 50 },
    );
  });
});
