import type { Page } from "playwright-core";

const SETTLE_MS = 30_000;

/** Waits until a page has its heading, nothing on it is loading, and no answer is awaited. */
export async function settle(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor({ timeout: SETTLE_MS });
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy="true"]') === null &&
      document.querySelector('[role="status"] .animate-spin') === null,
    undefined,
    { timeout: SETTLE_MS },
  );
  await page.waitForLoadState("networkidle", { timeout: SETTLE_MS });
}
