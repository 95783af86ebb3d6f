import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { findThings, type KnownThings } from "../../../../../scripts/browser/known-things.ts";
import { settle } from "../../../../../scripts/browser/settle.ts";
import type { Stage } from "../stage.ts";

const DRAW_MS = 20_000;

/** Number of canvases on the page with something drawn on them, i.e. with more than one colour. */
const drawnCanvases = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      [...document.querySelectorAll("canvas")].filter((canvas) => {
        if (canvas.width === 0 || canvas.height === 0) return false;
        // Reads a copy made for reading: the browser warns if a chart's own canvas is read repeatedly.
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        if (copy === null) return false;
        copy.drawImage(canvas, 0, 0);
        const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return pixels.some((pixel) => pixel !== pixels[0]);
      }).length,
  );

export function journeyCharts(stage: () => Stage): void {
  describe("charts", () => {
    let known: KnownThings | undefined;
    beforeAll(async () => {
      known = await findThings(stage().console);
    });

    it.each([
      ["a market of Polymarket", ({ condition_id }: KnownThings) => `/markets/polymarket/${condition_id}`],
      ["a market of Kalshi", ({ ticker }: KnownThings) => `/markets/kalshi/${ticker}`],
      ["a book of Polymarket", ({ condition_id }: KnownThings) => `/books/polymarket/${condition_id}`],
      ["a wallet", ({ wallet }: KnownThings) => `/wallets/${wallet}`],
      ["leaderboards", () => "/leaderboards"],
    ] as const)("are drawn on the page of %s", async (_what, pathOf) => {
      const { page } = await stage().open(pathOf(known as KnownThings), {
        as: stage().admin,
        isShared: true,
        isKept: true,
      });
      await settle(page);
      await expect.poll(() => drawnCanvases(page), { timeout: DRAW_MS }).toBeGreaterThan(0);
      expect(await page.getByRole("alert").count()).toBe(0);
    });
  });
}
