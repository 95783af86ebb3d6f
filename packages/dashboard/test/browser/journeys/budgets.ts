import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { settle } from "../../../../../scripts/browser/settle.ts";
import type { Stage } from "../stage.ts";

/** Maximum size of the compressed scripts of the first view. */
const MAX_SCRIPT_BYTES = 200_000;
/** Strings found only in the chart libraries. */
const CHART_LIBRARIES = /\bu-over\b|tv-lightweight-charts|createChart/;

type Script = { readonly url: string; readonly bytes: number };

const scriptsOf = (page: Page): Promise<Script[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map((entry) => entry as PerformanceResourceTiming)
      .filter((entry) => new URL(entry.name).pathname.endsWith(".js"))
      .map((entry) => ({ url: entry.name, bytes: entry.encodedBodySize })),
  );

export function journeyBudgets(stage: () => Stage): void {
  describe("the first view", () => {
    it.each([
      ["/sign-in", false],
      ["/", true],
    ])(
      "of %s takes less than 200 kB of script over the wire, and loads no chart library if it shows no chart",
      async (path, isSignedIn) => {
        const { page } = await stage().open(path, isSignedIn ? { as: stage().admin } : {});
        await page.locator("h1").waitFor();
        await page.waitForLoadState("networkidle");
        const scripts = await scriptsOf(page);
        expect(scripts.length).toBeGreaterThan(0);
        const first = isSignedIn ? scripts.filter(({ url }) => !/(?:plot|chart|uPlot)/i.test(url)) : scripts;
        expect(first.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(MAX_SCRIPT_BYTES);
        if (isSignedIn) return;
        for (const { url } of scripts) expect(await (await fetch(url)).text(), url).not.toMatch(CHART_LIBRARIES);
      },
    );

    it("is compressed, and a second visit loads its files from the cache", async () => {
      const { page } = await stage().open("/sign-in", { isShared: true });
      await settle(page);
      for (const { url } of await scriptsOf(page)) {
        const reply = await fetch(url, { headers: { "accept-encoding": "br" } });
        expect(reply.headers.get("cache-control"), url).toContain("immutable");
        if (Number(reply.headers.get("content-length")) > 600) expect(reply.headers.get("content-encoding")).toBe("br");
      }
      await page.reload();
      await settle(page);
      const again = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .map((entry) => entry as PerformanceResourceTiming)
          .filter((entry) => entry.name.includes("/assets/"))
          .reduce((sum, entry) => sum + entry.transferSize, 0),
      );
      expect(again).toBe(0);
    });
  });

  describe("the page of a Kalshi order book", () => {
    it("sends no query about Polymarket's order books", async () => {
      const requested: number[] = [];
      const { page } = await stage().open("/books/kalshi/KXNOSUCHMARKET-26", {
        as: stage().admin,
        isShared: true,
        prepare: async (opened) => {
          opened.on("request", (request) => {
            if (!request.url().endsWith("/api/console/ask")) return;
            requested.push((request.postDataJSON() as { agent_id: number }).agent_id);
          });
        },
      });
      await settle(page);
      expect(requested).toContain(1102);
      expect(requested).not.toContain(572);
    });
  });
}
