import { setTimeout as sleep } from "node:timers/promises";
import type { Page, BrowserContext, Request } from "playwright-core";

const SETTLE_MS = 30_000;
const LOOK_MS = 5;
/** Follow-up requests are sent within this time of a response: a list's next parts, the curves of a table's rows. */
const NEXT_MS = 30;
type Shown = {
  readonly document: { readonly querySelector: (selector: string) => unknown };
  readonly requestAnimationFrame: (reported: () => void) => void;
};

/** Runs on the page until two frames were drawn with the heading present and no spinner left; false on timeout. */
async function becomeStill(ms: number): Promise<boolean> {
  const { document, requestAnimationFrame } = globalThis as unknown as Shown;
  const until = performance.now() + ms;
  const isStill = (): boolean =>
    document.querySelector("h1") !== null && document.querySelector('[aria-busy="true"], .animate-spin') === null;
  do await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  while (!isStill() && performance.now() < until);
  return isStill();
}

/** Waits until a page has its heading, nothing on it is loading, and no request is pending. */
export async function settle(page: Page): Promise<void> {
  const requests = requestsUnderWay(page);
  const until = performance.now() + SETTLE_MS;
  do {
    while (requests.size > 0) {
      const urls = [...requests].map((request) => request.url());
      if (performance.now() > until) throw new Error(`no answer within ${SETTLE_MS} ms from ${urls.join(", ")}`);
      await sleep(LOOK_MS);
    }
    await sleep(NEXT_MS);
    if (!(await page.evaluate(becomeStill, SETTLE_MS))) throw new Error(`still loading after ${SETTLE_MS} ms`);
  } while (requests.size > 0);
}

const underWay = new WeakMap<Page, Set<Request>>();

/** Opens a page of the context whose requests are tracked from the first. */
export async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on("request", (request) => {
    // Chromium does not always report the previous document's requests as failed.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.clear();
    requests.add(request);
  });
  page.on("requestfinished", (request) => requests.delete(request));
  page.on("requestfailed", (request) => requests.delete(request));
  return page;
}

/** The pending requests of a page opened by `openPage`. */
export function requestsUnderWay(page: Page): ReadonlySet<Request> {
  const requests = underWay.get(page);
  if (requests === undefined) throw new Error("the page was not opened by openPage");
  return requests;
}
