import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findThings } from "../../../../../scripts/browser/known-things.ts";
import { settle } from "../../../../../scripts/browser/settle.ts";
import type { Stage } from "../stage.ts";

/** From now on requests to this path of the console are refused. */
async function failing(page: Page, path: string): Promise<void> {
  await page.route(`**/api/console/${path}`, (route) => route.fulfill({ status: 400 }));
}

export function journeyInterrupted(stage: () => Stage): void {
  describe("what goes wrong on the way", () => {
    it("does not lose a new key if the user tries to close the dialog while it is being created", async () => {
      const { page } = await stage().open("/keys", { as: stage().admin, isShared: true });
      const create = Promise.withResolvers<void>();
      await page.route(/\/api\/console\/keys$/, async (route) => {
        if (route.request().method() === "POST") await create.promise;
        await route.continue();
      });
      await page.getByRole("button", { name: "Create key" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill(`slowly created ${Date.now().toString(36)}`);
      const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/keys"));
      await dialog.getByRole("button", { name: "Create key" }).click();
      await sent;
      await dialog.locator('button[aria-busy="true"]').waitFor();
      await page.keyboard.press("Escape");
      await page.mouse.click(5, 5);
      expect(await dialog.getByRole("button", { name: /^(Close|Cancel)$/, disabled: false }).count()).toBe(0);
      create.resolve();
      await page.getByRole("button", { name: "I have saved it" }).click();
      await dialog.waitFor({ state: "detached" });
    });

    it("does not lose a new key if the user goes back, or to another site, before it is saved", async () => {
      const { page } = await stage().open("/usage", { as: stage().admin, isShared: true });
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Keys" }).click();
      await page.getByRole("button", { name: "Create key" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill(`kept ${Date.now().toString(36)}`);
      await dialog.getByRole("button", { name: "Create key" }).click();
      const saved = page.getByRole("button", { name: "I have saved it" });
      await saved.waitFor();
      const isHeld = (): Promise<boolean> =>
        page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
      expect(await isHeld()).toBe(true);
      const shown = page.evaluate(
        () => new Promise((resolve) => addEventListener("popstate", () => setTimeout(resolve), { once: true })),
      );
      await page.evaluate(() => history.back());
      await shown;
      await page.waitForURL("**/keys");
      await saved.click();
      await dialog.waitFor({ state: "detached" });
      expect(await isHeld()).toBe(false);
      await page.goBack();
      await page.waitForURL("**/usage");
    });

    it("shows a new key while the list of keys does not load", async () => {
      const { page } = await stage().open("/keys", { as: stage().admin, isShared: true });
      await settle(page);
      await page.route(/\/api\/console\/keys(\?|$)/, async (route) => {
        if (route.request().method() === "POST") await route.continue();
      });
      await page.getByRole("button", { name: "Create key" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill(`listed late ${Date.now().toString(36)}`);
      await dialog.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("button", { name: "I have saved it" }).click();
    });

    it("reports a link's limit that the plan does not allow, instead of running the query without it", async () => {
      const tags = "/explore/polymarket-tags";
      const { page } = await stage().open(`${tags}?_limit=999999`, { as: stage().admin, isShared: true });
      const alert = page.getByRole("alert").filter({ hasText: "limit" });
      await alert.waitFor();
      const limit = page.locator('form [name="limit"]');
      expect(await limit.getAttribute("aria-invalid")).toBe("true");
      expect(await page.getByRole("grid").count()).toBe(0);
      await page.getByText("Correct the limit or the offset").waitFor();
      expect(await page.locator('pre[aria-label="curl"]').count()).toBe(0);
      await limit.fill("5");
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("grid").waitFor();
      await limit.fill("6");
      await page.getByRole("button", { name: "Run" }).click();
      await page.waitForURL("**_limit=6");
      await limit.fill("0");
      await page.getByRole("button", { name: "Run" }).click();
      await alert.waitFor();
      await page.goBack();
      await page.waitForURL("**_limit=5");
      expect(await limit.inputValue()).toBe("5");
      expect(await alert.count()).toBe(0);
    });

    it("keeps the day that the user is typing, also while it is after the last day", async () => {
      const days = "?range=custom&from=2026-03-01&to=2026-03-20";
      const { page } = await stage().open(`/usage${days}`, { as: stage().admin, isShared: true });
      const from = page.getByLabel("From (UTC day)");
      await from.fill("2026-04-05");
      await page.waitForURL("**from=2026-04-05**");
      await expect.poll(() => from.inputValue()).toBe("2026-04-05");
      await from.focus();
      await page.keyboard.type("12");
      await expect.poll(() => from.inputValue()).toBe("2026-12-05");
      expect(await page.getByLabel("To (UTC day)").inputValue()).toBe("2026-03-20");
    });

    it("shows the leaderboards and equity of the last 7 days for a link with a day and a period that are none", async () => {
      const equity = Promise.withResolvers<{ start_time: string; end_time: string }>();
      const { page } = await stage().open("/leaderboards?as_of=-271821-04-20&period=45d", {
        as: stage().admin,
        isShared: true,
        prepare: async (opened) => {
          opened.on("request", (request) => {
            if (!request.url().endsWith("/ask")) return;
            const { agent_id, params } = request.postDataJSON() as {
              agent_id: number;
              params: { start_time: string; end_time: string };
            };
            if (agent_id === 1003) equity.resolve(params);
          });
        },
      });
      await page.getByRole("heading", { name: "Leaderboards", level: 1 }).waitFor();
      expect(await page.getByLabel("As of (UTC day)").inputValue()).toBe("");
      const { start_time, end_time } = await equity.promise;
      expect((Date.parse(end_time) - Date.parse(start_time)) / 86_400_000).toBe(6);
    });

    it("says that a copy was refused by the browser", async () => {
      const { page } = await stage().open("/explore/polymarket-tags?_limit=1", {
        as: stage().admin,
        isShared: true,
        prepare: async (opened) => {
          await opened.addInitScript(() => {
            navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
          });
        },
      });
      await page.getByRole("gridcell").first().click();
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("button", { name: "Select it and copy by hand" }).waitFor();
      await page.getByRole("grid").press("Control+c");
      await page.getByRole("status").filter({ hasText: "The browser refused to copy" }).waitFor();
      await page.getByRole("button", { name: "Copy cursor" }).click();
      await page.getByRole("button", { name: "The browser refused to copy" }).waitFor();
    });

    it("shows no number of requests for accounts whose usage could not be read", async () => {
      const { page, expect: allow } = await stage().open("/operator/accounts", {
        as: stage().admin,
        isShared: true,
        prepare: (opened) => failing(opened, "operator/usage"),
      });
      allow(400);
      await page.getByRole("alert").waitFor();
      const account = page.getByRole("row").filter({ hasText: stage().admin.email });
      await account.getByRole("link", { name: "–", exact: true }).waitFor();
    });

    it("shows the newest book if the user chooses it while the slider's time is about to be", async () => {
      const { token_id } = await findThings(stage().console);
      const { page } = await stage().open(`/books/polymarket/${token_id}`, {
        as: stage().admin,
        isShared: true,
        prepare: (opened) => opened.clock.install(),
      });
      const slider = page.getByRole("slider", { name: "Time of the book" });
      await slider.press("PageDown");
      await page.clock.runFor(1000);
      await page.waitForURL("**at=**");
      await slider.press("PageDown");
      await page.getByRole("button", { name: "Now" }).click();
      await page.clock.runFor(1000);
      expect(new URL(page.url()).searchParams.get("at")).toBeNull();
      expect(await page.locator("output").textContent()).toBe("Now");
    });

    it("has a heading on the page of a book whose market could not be read", async () => {
      const { page, expect: allow } = await stage().open(`/books/polymarket/0x${"ab".repeat(32)}`, {
        as: stage().admin,
        isShared: true,
        prepare: (opened) => failing(opened, "ask"),
      });
      allow(400);
      await page.getByRole("alert").waitFor();
      expect(await page.getByRole("heading", { level: 1 }).allTextContents()).toEqual(["Order book"]);
      expect(await page.title()).toBe("Order book · Almanac");
    });

    it("reports that the best bid and ask of a book's history could not be read, and reads them again", async () => {
      const { token_id } = await findThings(stage().console);
      const { page, expect: allow } = await stage().open(`/books/polymarket/${token_id}`, {
        as: stage().admin,
        isShared: true,
        prepare: async (opened) => {
          await opened.route("**/api/console/ask", (route) =>
            route.request().postData()?.includes('"agent_id":568,') === true
              ? route.fulfill({ status: 400 })
              : route.fallback(),
          );
        },
      });
      allow(400);
      const time = page.getByRole("region", { name: "Time" });
      await time.getByRole("alert").waitFor();
      await page.unroute("**/api/console/ask");
      await time.getByRole("button", { name: "Try again" }).click();
      await time.getByRole("alert").waitFor({ state: "detached" });
    });

    it("requests only the next page of a ledger again if that one failed", async () => {
      const { wallet } = await findThings(stage().console);
      const requested: boolean[] = [];
      const { page, expect: allow } = await stage().open(`/wallets/${wallet}`, {
        as: stage().admin,
        isShared: true,
        prepare: async (opened) => {
          await opened.route("**/api/console/ask", async (route) => {
            const { agent_id, pagination } = route.request().postDataJSON() as {
              agent_id: number;
              pagination?: { cursor?: string };
            };
            if (agent_id !== 1002) return route.fallback();
            requested.push(pagination?.cursor !== undefined);
            if (pagination?.cursor !== undefined) return route.fulfill({ status: 400 });
            const response = await route.fetch();
            const answer = (await response.json()) as { pagination: object };
            const more = { ...answer.pagination, has_more: true, next_cursor: "next" };
            await route.fulfill({ response, json: { ...answer, pagination: more } });
          });
        },
      });
      allow(400);
      const ledger = page.getByRole("region", { name: "Ledger", exact: true });
      await ledger.getByRole("button", { name: "Load more" }).click();
      await ledger.getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => requested.length).toBe(3);
      expect(requested).toEqual([false, true, true]);
    });

    it("does not claim that a book has no history if it could not be read", async () => {
      const { page, expect: allow } = await stage().open("/books/kalshi/NONE", {
        as: stage().admin,
        isShared: true,
        prepare: (opened) => failing(opened, "ask"),
      });
      allow(400);
      const time = page.getByRole("region", { name: "Time" });
      await time.getByText("could not be read").waitFor();
      expect(await time.getByText("No history of this book is stored.").count()).toBe(0);
    });
  });
}
