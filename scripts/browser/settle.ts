import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { requestsUnderWay } from "./requests-under-way.ts";

const SETTLE_MS = 30_000;
const LOOK_MS = 5;
type Shown = {
  readonly document: { readonly querySelector: (selector: string) => unknown };
  readonly requestAnimationFrame: (told: () => void) => void;
};

/** Runs on the page: two frames from now, when what came has been drawn, no answer is awaited and no spinner turns. */
async function isStill(): Promise<boolean> {
  const { document, requestAnimationFrame } = globalThis as unknown as Shown;
  await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return document.querySelector('[aria-busy="true"], [role="status"] .animate-spin') === null;
}

/** Waits until a page has its heading, nothing on it is loading, and no answer is awaited. */
export async function settle(page: Page): Promise<void> {
  const requests = requestsUnderWay(page);
  const until = performance.now() + SETTLE_MS;
  await page.locator("h1").first().waitFor({ timeout: SETTLE_MS });
  do {
    while (requests.size > 0) {
      const urls = [...requests].map((request) => request.url());
      if (performance.now() > until) throw new Error(`no answer within ${SETTLE_MS} ms from ${urls.join(", ")}`);
      await sleep(LOOK_MS);
    }
    await page.waitForFunction(isStill, undefined, { timeout: SETTLE_MS });
  } while (requests.size > 0);
}
