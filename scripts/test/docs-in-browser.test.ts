import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasets } from "../../packages/server/src/catalogue.ts";
import { answerOf, openApi, type Api } from "../../packages/server/test/http/api.ts";
import { findChromium, NO_CHROMIUM, launchChromium } from "../browser/chromium.ts";

const chromium = findChromium();
const title = "the documentation in a browser";

/** One page of each kind, and the widest and longest of them. */
const PATHS = [
  "/docs",
  "/docs/guides/score",
  "/docs/datasets/wallet-360",
  "/docs/datasets/price-jumps",
  "/docs/reference",
  "/docs/reference/wallet-360",
  "/docs/errors/invalid-params",
];

/** Serious and critical findings on the current page. Evaluated, not injected: the policy allows no inline script. */
async function runAxe(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe.source);
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) => id + ": " + node.html.slice(0, 160))))`);
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");

describe.skipIf(chromium === undefined)(chromium === undefined ? `${title} (${NO_CHROMIUM})` : title, () => {
  let api: Api;
  let browser: Browser;
  beforeAll(async () => {
    api = await openApi(async () => answerOf(), { catalogue: datasets });
    browser = await launchChromium(chromium ?? "");
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  const open = async (path: string, look: Parameters<Browser["newPage"]>[0] = {}) => {
    const page = await browser.newPage(look);
    const wrong: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && wrong.push(message.text())));
    page.on("request", (request) => void (request.url().startsWith(api.url) || wrong.push(request.url())));
    await page.goto(api.url + path);
    return { page, wrong };
  };

  /** One page for all paths in both themes: each new page would begin with an empty cache and without axe. */
  let shown: Awaited<ReturnType<typeof open>> | undefined;
  const looks = [
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 390, height: 844 } },
  ] as const;

  it.each(PATHS)(
    "%s has no serious axe finding, overflow or error, wide and light or narrow and dark",
    async (path) => {
      const { page, wrong } = (shown ??= await open("/docs"));
      for (const [place, { viewport, ...media }] of looks.entries()) {
        await page.setViewportSize(viewport);
        await page.emulateMedia(media);
        if (place === 0) await page.goto(api.url + path);
        expect(await runAxe(page), media.colorScheme).toEqual([]);
        expect(await overflow(page)).toBe(0);
        expect(wrong).toEqual([]);
      }
    },
  );

  it("is complete without scripts", async () => {
    const { page } = await open("/docs/datasets/price-jumps", { javaScriptEnabled: false });
    expect(await page.locator("nav.pages a").count()).toBeGreaterThan(datasets.length);
    expect(await page.locator("#formula").isVisible()).toBe(true);
    expect(await page.locator("#tools *").count()).toBe(0);
    await page.close();
  });

  it("finds pages with the keyboard", async () => {
    const { page, wrong } = await open("/docs");
    await page.keyboard.press("/");
    await page.keyboard.type("sortino");
    const first = page.locator(".found a").first();
    await first.waitFor();
    expect(await first.getAttribute("href")).toBe("/docs/datasets/wallet-360");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/datasets/wallet-360");
    expect(wrong).toEqual([]);
    await page.close();
  });

  it("copies an example, and keeps the chosen theme", async () => {
    const { page } = await open("/docs", { colorScheme: "light" });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator(".copy").first().click();
    await expect.poll(() => page.evaluate<string>("navigator.clipboard.readText()")).toContain("curl -s ");
    await page.getByRole("button", { name: "Dark" }).click();
    await page.goto(`${api.url}/docs/guides/paging`);
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.close();
  });
});
