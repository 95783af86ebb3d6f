import type { Page } from "playwright-core";

const NOWHERE = "/no/such/page";

/** As the browser's Back and Forward do: the page hears of an address and shows it without being loaded anew. */
const show = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: null }));
  }, path);

/** Has a page of the dashboard show another path; by way of the page of unknown paths, so that nothing shown before stays. */
export async function moveTo(page: Page, path: string): Promise<void> {
  const nowhere = page.getByRole("heading", { level: 1, name: "No such page" });
  await show(page, NOWHERE);
  await nowhere.waitFor();
  if (path === NOWHERE) return;
  await show(page, path);
  await nowhere.waitFor({ state: "detached" });
}
