import type { BrowserContext, Page, Request } from "playwright-core";

const underWay = new WeakMap<Page, Set<Request>>();

/** A new page of the context whose requests are followed from the first. */
export async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on("request", (request) => {
    // What the document before it had asked for is not always told to have failed.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.clear();
    requests.add(request);
  });
  page.on("requestfinished", (request) => requests.delete(request));
  page.on("requestfailed", (request) => requests.delete(request));
  return page;
}

/** What a page that `openPage` opened waits for. */
export function requestsUnderWay(page: Page): ReadonlySet<Request> {
  const requests = underWay.get(page);
  if (requests === undefined) throw new Error("the page was not opened by openPage");
  return requests;
}
