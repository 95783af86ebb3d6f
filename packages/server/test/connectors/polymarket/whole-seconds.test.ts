import { expect, test } from "vitest";
import type { DataTrade } from "../../../src/connectors/polymarket/data/trades-v2-wire.ts";
import { wholeSeconds } from "../../../src/connectors/polymarket/data/trades-v2-pages.ts";

async function* pagesOf(pages: readonly (readonly number[])[]): AsyncGenerator<readonly DataTrade[]> {
  for (const page of pages) yield page.map((seconds) => ({ seconds }) as DataTrade);
}

async function chunksOf(pages: readonly (readonly number[])[]): Promise<number[][]> {
  const chunks: number[][] = [];
  for await (const chunk of wholeSeconds(pagesOf(pages))) chunks.push(chunk.map(({ seconds }) => seconds));
  return chunks;
}

test("holds back the oldest second of a page until the next page", async () => {
  expect(await chunksOf([[9, 9, 8, 7], [7, 7, 6], [5]])).toEqual([[9, 9, 8], [7, 7, 7], [6], [5]]);
});

test("cuts pages at the same seconds if their rows are in another order", async () => {
  expect(await chunksOf([[7, 9, 8, 9], [6, 7, 7], [5]])).toEqual([[9, 9, 8], [7, 7, 7], [6], [5]]);
});
