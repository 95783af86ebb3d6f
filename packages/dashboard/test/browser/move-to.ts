import type { Page } from "playwright-core";

export const NOWHERE = { path: "/no/such/page", heading: "No such page" };
const MOVE_MS = 30_000;

type Move = { readonly path: string; readonly nowhere: typeof NOWHERE; readonly ms: number };

/**
 * Runs on the page, and navigates as the browser's Back and Forward do. Observes each document change directly:
 * Playwright polls after 20 ms, in the end every 500 ms.
 */
async function move({ path, nowhere, ms }: Move): Promise<void> {
  const isNowhere = (): boolean => document.querySelector("h1")?.textContent === nowhere.heading;
  const show = (to: string, isShown: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const observer = new MutationObserver(() => {
        if (!isShown()) return;
        observer.disconnect();
        clearTimeout(late);
        resolve();
      });
      const late = setTimeout(() => {
        observer.disconnect();
        reject(new Error(`${to} was not shown within ${ms} ms`));
      }, ms);
      observer.observe(document, { childList: true, characterData: true, subtree: true });
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate", { state: null }));
    });
  if (!isNowhere()) await show(nowhere.path, isNowhere);
  if (path !== nowhere.path) await show(path, () => !isNowhere());
}

/**
 * Navigates a dashboard page to another path, by way of the page for unknown paths so that nothing shown before stays.
 */
export const moveTo = (page: Page, path: string): Promise<void> =>
  page.evaluate(move, { path, nowhere: NOWHERE, ms: MOVE_MS });
