import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { findThings, type KnownThings, pagePaths } from "../../../../../scripts/browser/known-things.ts";
import { longWords } from "../long-words.ts";
import { drawnCanvases } from "../drawn-canvases.ts";
import { OPERATOR_PAGES } from "../operator-pages.ts";
import { overflowOf } from "../overflow-of.ts";
import { runAxe } from "../run-axe.ts";
import { settle } from "../../../../../scripts/browser/settle.ts";
import type { Stage } from "../stage.ts";

const PHONE = { width: 390, height: 844 };
/** Only the number and order of its paths matter here; the real identifiers come from the service. */
const PATHS = pagePaths({ condition_id: ":condition", ticker: ":ticker", token_id: ":token", wallet: ":wallet" });

/** Pages that show third-party text. */
const SHOWING_ROWS = /^\/(?:explore\/|search|markets|books|wallets)/;

/** Pages with charts. */
const DRAWING = /^\/(?:markets|books\/polymarket|wallets)|^\/leaderboards$/;

/** A text that an operator finds on a page of the operator. */
const SHOWN: Readonly<Record<string, string>> = Object.fromEntries(OPERATOR_PAGES);

/** Brightness of the page's background, 0 black to 255 white. */
const groundOf = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    if (canvas === null) return -1;
    for (const element of [document.documentElement, document.body]) {
      canvas.fillStyle = getComputedStyle(element).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });

export function journeyPages(stage: () => Stage): void {
  describe("every page", () => {
    let known: KnownThings | undefined;
    const words = longWords();
    beforeAll(async () => {
      known = await findThings(stage().console);
    });

    it.each(PATHS.map((path, place) => [path, place] as const))(
      "%s shows its contents, has no serious axe finding in light and dark mode, and fits a phone",
      async (_path, place) => {
        const path = pagePaths(known as KnownThings)[place] ?? "/";
        const { page } = await stage().open(path, {
          as: stage().admin,
          isShared: true,
          isKept: true,
        });
        await settle(page);
        expect(await page.getByRole("alert").count()).toBe(0);
        const shown = SHOWN[path];
        if (shown !== undefined) await expect.poll(() => page.locator("main").textContent()).toContain(shown);
        if (DRAWING.test(path)) await expect.poll(() => drawnCanvases(page)).toBeGreaterThan(0);
        expect(await page.title()).toMatch(/\S+ · Almanac$/);
        expect(await page.locator("h1").count()).toBe(1);
        await expect.poll(() => groundOf(page)).toBeGreaterThan(200);
        expect(await runAxe(page), "light").toEqual([]);
        await page.emulateMedia({ colorScheme: "dark" });
        await expect.poll(() => groundOf(page)).toBeLessThan(60);
        expect(await runAxe(page, "colours"), "dark").toEqual([]);
        await page.setViewportSize(PHONE);
        await expect.poll(() => overflowOf(page)).toEqual([]);
      },
    );

    it.each(PATHS.map((path, place) => [path, place] as const).filter(([path]) => SHOWING_ROWS.test(path)))(
      "%s fits a phone if third-party text consists of very long words",
      async (_path, place) => {
        const path = pagePaths(known as KnownThings)[place] ?? "/";
        const before = words.counted();
        const { page } = await stage().open(path, {
          as: stage().admin,
          viewport: PHONE,
          isShared: true,
          isKept: true,
          prepare: words.answer,
        });
        await settle(page);
        // Answers cached for an earlier path are not requested again; columns to the right are not drawn.
        await expect.poll(async () => words.counted() > before || (await words.isShown(page))).toBe(true);
        await settle(page);
        await expect.poll(() => overflowOf(page)).toEqual([]);
      },
    );

    it("is accessible without a session too", async () => {
      const { page } = await stage().open("/sign-in", { isShared: true });
      await page.getByLabel("E-mail").waitFor();
      expect(await runAxe(page), "light").toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      await expect.poll(() => groundOf(page)).toBeLessThan(60);
      expect(await runAxe(page, "colours"), "dark").toEqual([]);
      await page.setViewportSize(PHONE);
      expect(await overflowOf(page)).toEqual([]);
    });

    it("keeps the chosen theme, also one chosen in a phone's menu when the system's theme changes", async () => {
      const { page } = await stage().open("/", { as: stage().admin, colorScheme: "light" });
      await settle(page);
      await page.getByRole("radio", { name: "Dark" }).click();
      await expect.poll(() => groundOf(page)).toBeLessThan(60);
      await page.reload();
      await settle(page);
      expect(await groundOf(page)).toBeLessThan(60);
      // As another tab's choice arrives.
      await page.evaluate(() => {
        localStorage.setItem("almanac.theme", "light");
        dispatchEvent(new StorageEvent("storage", { key: "almanac.theme" }));
      });
      await expect.poll(() => groundOf(page)).toBeGreaterThan(200);
      expect(await page.getByRole("radio", { name: "Light" }).isChecked()).toBe(true);
      await page.getByRole("radio", { name: "Dark" }).click();
      await expect.poll(() => groundOf(page)).toBeLessThan(60);
      await page.getByRole("radio", { name: "System" }).click();
      await expect.poll(() => groundOf(page)).toBeGreaterThan(200);
      await page.setViewportSize(PHONE);
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("radio", { name: "Dark" }).click();
      await expect.poll(() => groundOf(page)).toBeLessThan(60);
      await page.getByRole("button", { name: "Close" }).click();
      await page.emulateMedia({ colorScheme: "dark" });
      await page.emulateMedia({ colorScheme: "light" });
      expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("radio", { name: "System" }).click();
      await page.getByRole("button", { name: "Close" }).click();
      await page.emulateMedia({ colorScheme: "dark" });
      await expect.poll(() => groundOf(page)).toBeLessThan(60);
    });
  });
}
