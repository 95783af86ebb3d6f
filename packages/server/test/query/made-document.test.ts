import { afterAll, beforeAll, expect, test } from "vitest";
import { walletLedger } from "../../src/datasets/wallet-ledger.ts";
import type { ServedKeyed } from "../../src/definition/served-keyed.ts";
import { madeDocument } from "../../src/query/served/made-document.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { readArrow, readParquet } from "../fixtures/read-columnar.ts";

const MOST = walletLedger.limit.max;
const served = walletLedger.served as ServedKeyed;
let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => void (store = await openTestStore()));
afterAll(() => store.close());

/** Rows whose fields have the row's position as value, or null in every second row if nullable. */
const rows = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    Object.fromEntries(
      Object.entries(walletLedger.row).map(([field, { wire, nullable }]) => {
        if (nullable && at % 2 === 1) return [field, null];
        return [field, wire === "id" || wire === "text" ? `"${at}",\n\\` : at];
      }),
    ),
  );

const made = (count: number, format: "csv" | "parquet" | "arrow"): Promise<Buffer> =>
  madeDocument(store, walletLedger, served, rows(count), format);

test.each([0, 1, MOST])("a document of %i rows has all of them in order, in each format", async (count) => {
  const places = Array.from({ length: count }, (_, at) => at);
  const texts = places.map((at) => `"${at}",\n\\`);
  const arrow = readArrow(await made(count, "arrow"));
  expect(arrow.map((row) => row["place"])).toEqual(places);
  expect(arrow.map((row) => row["kind"])).toEqual(texts);
  expect(arrow.map((row) => row["token_id"])).toEqual(texts.map((text, at) => (at % 2 === 1 ? null : text)));
  const csv = (await made(count, "csv")).toString("utf8");
  expect(csv.split("\n")[0]).toBe(
    Object.keys(walletLedger.row)
      .map((field) => `"${field}"`)
      .join(","),
  );
  const cells = Array.from(csv.matchAll(/^"\d{4}[^"]*","""(\d+)"",\n\\"/gm), ([, place]) => Number(place));
  expect(cells).toEqual(places);
  const parquet = await made(count, "parquet");
  // The engine cannot read a file without rows, nor accept a value as long as the longest file.
  if (count === 1) expect(await readParquet(store, parquet)).toMatchObject([{ place: 0, kind: texts[0] }]);
  expect(parquet.subarray(-4).toString()).toBe("PAR1");
});
