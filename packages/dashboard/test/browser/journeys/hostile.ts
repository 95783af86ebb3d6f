import { describe, expect, it } from "vitest";
import { settle } from "../../../../../scripts/browser/settle.ts";
import type { Stage } from "../stage.ts";

/**
 * Markup that the paper world puts into titles (packages/exchange, hostile-texts.ts); a watched page that runs one
 * fails.
 */
const MARKUP = /<(?:script|img|iframe|svg|style|base|meta|form)\b/i;

export function journeyHostile(stage: () => Stage): void {
  describe("third-party text", () => {
    it("is shown as text on the pages of attacking markets: no script, no dialog, no other origin", async () => {
      const { console } = stage();
      const markets = await console.ask(574, { closed: "False" }, 200);
      const attacking = markets.filter((market) => MARKUP.test(String(market["question"])));
      expect(attacking.length).toBeGreaterThan(3);
      for (const market of attacking.slice(0, 2)) {
        const { page } = await stage().open(`/markets/polymarket/${String(market["condition_id"])}`, {
          as: stage().admin,
          isShared: true,
          isKept: true,
        });
        await settle(page);
        const heading = (await page.locator("h1").textContent()) ?? "";
        expect(heading.replaceAll(/\s+/g, " ").trim()).toBe(String(market["question"]).replaceAll(/\s+/g, " ").trim());
        expect(
          await page.locator("main script, main iframe, main base, main meta, main object, main embed").count(),
        ).toBe(0);
        for (const href of await page
          .locator("a[href]")
          .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol)))
          expect(href).toMatch(/^https?:$/);
      }
    });

    it("is shown as text in tables", async () => {
      const { console } = stage();
      const markets = await console.ask(574, { closed: "False" }, 200);
      const attacking = markets.find((market) => MARKUP.test(String(market["question"])));
      const { page } = await stage().open(
        `/explore/polymarket-markets?condition_id=${String(attacking?.["condition_id"])}`,
        {
          as: stage().admin,
          isShared: true,
          isKept: true,
        },
      );
      await page.getByRole("grid").waitFor();
      await expect.poll(() => page.getByRole("grid").textContent()).toMatch(MARKUP);
      expect(await page.getByRole("grid").locator("script, iframe, img, style").count()).toBe(0);
    });

    it("is shown as text on the search page", async () => {
      const { page } = await stage().open(`/search?q=${encodeURIComponent("<script>")}`, {
        as: stage().admin,
        isShared: true,
        isKept: true,
      });
      await settle(page);
      expect(await page.locator("main script").count()).toBe(0);
    });
  });
}
