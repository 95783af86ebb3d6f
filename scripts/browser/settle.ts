import type { Page } from "playwright-core";

const SETTLE_MS = 30_000;
type Shown = { readonly document: { readonly querySelector: (selector: string) => unknown } };

/** Runs on the page: no answer is awaited, no spinner turns. */
const isStill = (): boolean =>
  (globalThis as unknown as Shown).document.querySelector('[aria-busy="true"], [role="status"] .animate-spin') === null;

/** Waits until a page has its heading, nothing on it is loading, and no answer is awaited. */
export async function settle(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor({ timeout: SETTLE_MS });
  await page.waitForFunction(isStill, undefined, { timeout: SETTLE_MS });
  await page.waitForLoadState("networkidle", { timeout: SETTLE_MS });
  await page.waitForFunction(isStill, undefined, { timeout: SETTLE_MS });
}
