import type { BrowserContext, Page, Request } from "playwright-core";

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
