import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Stage } from "../stage.ts";

const MAX_TABS = 60;

/** Name of the focused element, and whether its focus is visible. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { name: "", isSeen: false };
    // A field of several values shows the focus around all of them.
    const isSeen = [element, element.parentElement].some((one) => {
      const style = one === null ? undefined : getComputedStyle(one);
      return style !== undefined && (style.outlineStyle !== "none" || style.boxShadow !== "none");
    });
    const label = element instanceof HTMLInputElement ? (element.labels?.[0]?.textContent ?? "") : "";
    return { name: (element.getAttribute("aria-label") ?? "") || label || element.innerText.trim(), isSeen };
  });

/** Presses Tab until an element of that name has the focus; checks that the focus is visible on every step. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (now.name !== "") expect(now.isSeen, `one sees the focus on "${now.name}"`).toBe(true);
    if (name.test(now.name)) return;
  }
  throw new Error(`${MAX_TABS} presses of Tab do not lead to ${name}`);
}

export function journeyKeyboard(stage: () => Stage): void {
  it("can be used with a keyboard alone: sign in, skip the links, find a dataset, query it, sort, sign out", async () => {
    const { page } = await stage().open("/sign-in", { isShared: true });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await tabTo(page, /e-mail/i);
    await page.keyboard.type(stage().admin.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(stage().admin.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await tabTo(page, /skip to content/i);
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
    await page.goto(`${stage().origin}/explore`);
    await page.getByRole("heading", { level: 1, name: "Explore" }).waitFor();
    await page.getByLabel("Search datasets").waitFor();
    await tabTo(page, /search datasets/i);
    await page.keyboard.type("tags");
    await tabTo(page, /^polymarket tags$/i);
    await page.keyboard.press("Enter");
    await page.getByRole("form", { name: /tags/i }).waitFor();
    await tabTo(page, /^run$/i);
    await page.keyboard.press("Enter");
    await page.getByRole("grid").waitFor();
    await tabTo(page, /^rows of/i);
    const grid = page.getByRole("grid");
    const active = async (): Promise<string | null> => grid.getAttribute("aria-activedescendant");
    const before = await active();
    // The browser's Back and Forward.
    await page.keyboard.press("Alt+ArrowRight");
    expect(await active()).toBe(before);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    expect(await active()).not.toBe(before);
    await grid.locator('[aria-sort="ascending"], [aria-sort="descending"]').waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(`[id="${await active()}"]`).getAttribute("role")).toMatch(/cell/);
    await tabTo(page, /sign out/i);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sign-in**");
    expect(new URL(page.url()).pathname).toBe("/sign-in");
  });
}
