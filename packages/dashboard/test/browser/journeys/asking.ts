import { describe, expect, it } from "vitest";
import { settle } from "../../../../../scripts/browser/settle.ts";
import type { Stage } from "../stage.ts";

const USAGE_MS = 45_000;

export function journeyAsking(stage: () => Stage): void {
  describe("running a query", () => {
    it("shows an error at the field it concerns, and succeeds once the field is corrected", async () => {
      const { page, expect: allow } = await stage().open("/explore/polymarket-trades?proxy_wallet=nobody", {
        as: stage().admin,
        isShared: true,
      });
      allow(400);
      const alert = page.getByRole("alert");
      await alert.filter({ hasText: "proxy_wallet" }).waitFor();
      const field = page.locator('form [name="proxy_wallet"]');
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      const reported = (await field.getAttribute("aria-describedby")) ?? "";
      const words = await page.evaluate(
        (ids) => ids.split(" ").map((id) => document.getElementById(id)?.textContent ?? ""),
        reported,
      );
      expect(words.join(" ")).toMatch(/wallet|0x|address/i);
      await page.getByRole("button", { name: "Clear" }).click();
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("grid").waitFor();
      expect(await alert.count()).toBe(0);
      expect(await field.getAttribute("aria-invalid")).not.toBe("true");
    });

    it("ties the error of a list of choices to the list", async () => {
      const { page, expect: allow } = await stage().open("/explore/social-volume?keywords=rain&source=nothing", {
        as: stage().admin,
        isShared: true,
      });
      allow(400);
      await page.getByRole("alert").filter({ hasText: "source" }).waitFor();
      const list = page.getByRole("group", { name: "source" });
      const words = await list.evaluate((element) =>
        (element.getAttribute("aria-describedby") ?? "")
          .split(" ")
          .map((id) => document.getElementById(id)?.textContent ?? "")
          .join(" "),
      );
      expect(words).toContain("nothing");
    });

    it("gives a link that opens the same query for another user", async () => {
      const { page } = await stage().open("/explore/polymarket-trades", {
        as: stage().admin,
        isShared: true,
        isKept: true,
      });
      await page.locator('form [name="side"]').selectOption("SELL");
      await page.locator('form [name="limit"]').fill("7");
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("grid").waitFor();
      await page.getByRole("tab", { name: "Link" }).click();
      const link = (await page.getByLabel("link", { exact: true }).textContent()) ?? "";
      expect(link).toMatch(/side=SELL/);
      expect(link).not.toMatch(/alm_live_|token|csrf/i);
      const { page: other } = await stage().open(link.replace(stage().origin, ""), {
        as: await stage().member(),
        isShared: true,
      });
      await other.getByRole("grid").waitFor();
      expect(await other.locator('form [name="side"]').inputValue()).toBe("SELL");
      expect(await other.locator('form [name="limit"]').inputValue()).toBe("7");
      await other.getByRole("list", { name: "Filters as applied" }).getByText("side=SELL").waitFor();
    });

    it("shows the request as code without an API key in it", async () => {
      const { page } = await stage().open("/explore/kalshi-trades", {
        as: stage().admin,
        isShared: true,
        isKept: true,
      });
      for (const name of ["curl", "TypeScript", "Python"]) {
        await page.getByRole("tab", { name }).click();
        const code = (await page.getByRole("tabpanel").getByLabel(name, { exact: true }).textContent()) ?? "";
        expect(code, name).toContain("573");
        expect(code, name).toContain("ALMANAC_API_KEY");
        expect(code, name).not.toMatch(/alm_live_[a-z2-7]{10}/);
      }
    });

    it("again keeps the columns, the order and the height that the user chose", async () => {
      const { page } = await stage().open("/explore/polymarket-tags?_limit=1", {
        as: stage().admin,
        isShared: true,
        isKept: true,
      });
      const grid = page.getByRole("grid");
      await grid.waitFor();
      await page.getByRole("button", { name: /^Columns/ }).click();
      const chooser = page.getByRole("dialog", { name: "Columns" });
      await chooser.getByRole("button", { name: "Only the first" }).click();
      await chooser.getByRole("button", { name: "Close" }).click();
      const taller = page.getByRole("button", { name: "Taller" });
      await taller.click();
      await grid.getByRole("columnheader").click();
      const sorted = page.getByRole("button", { name: "Original order" });
      await sorted.waitFor();
      const answered = page.waitForResponse((reply) => reply.url().endsWith("/ask"));
      await page.getByRole("button", { name: "Run" }).click();
      await answered;
      await grid.waitFor();
      expect(await grid.getAttribute("aria-colcount")).toBe("1");
      expect(await taller.getAttribute("aria-pressed")).toBe("true");
      expect(await sorted.count()).toBe(1);
    });

    it("is counted and appears on the usage page", async () => {
      const { page } = await stage().open("/explore/polymarket-tags", { as: stage().admin, isShared: true });
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("grid").waitFor();
      await expect
        .poll(
          async () => {
            await page.goto(`${stage().origin}/usage`);
            await settle(page);
            return page
              .locator("main")
              .getByText(/polymarket[- ]tags/i)
              .count();
          },
          { timeout: USAGE_MS, interval: 1000 },
        )
        .toBeGreaterThan(0);
    });
  });
}
