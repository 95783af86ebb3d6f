import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { settle } from "../../../../../scripts/browser/settle.ts";
import { addCustomer, CUSTOMER } from "../add-customer.ts";
import { moveTo } from "../move-to.ts";
import type { Stage } from "../stage.ts";

/** Opens a market or wallet as a reader does: without reloading the page. */
async function goTo(page: Page, id: string): Promise<void> {
  const box = page.getByRole("searchbox", { name: "Search markets and wallets" });
  await box.fill(id);
  await box.press("Enter");
  await page.waitForURL(`**/${id}`);
}

/** From now on queries about this id get no answer. */
async function leaveUnanswered(page: Page, id: string): Promise<void> {
  await page.route("**/api/console/ask", async (route) => {
    if (route.request().postData()?.includes(id) !== true) await route.continue();
  });
}

export function journeyMovingOn(stage: () => Stage): void {
  describe("navigating", () => {
    it("from one wallet to another shows nothing of the first below the second", async () => {
      const [first, other] = [`0x${"12".repeat(20)}`, `0x${"ab".repeat(20)}`];
      const { page } = await stage().open(`/wallets/${first}`, { as: stage().admin, isShared: true });
      await settle(page);
      await leaveUnanswered(page, other);
      await goTo(page, other);
      for (const name of ["Lifetime", "Equity", "Positions"])
        await page.getByRole("region", { name }).first().getByRole("status").waitFor();
      expect(await page.locator(".opacity-60").count()).toBe(0);
    });

    it("from one market to another that is known by name shows nothing of the first below the second", async () => {
      const { console } = stage();
      const markets = await console.ask(574, {}, 2);
      const [first = "", second = ""] = markets.map((market) => String(market["condition_id"]));
      expect(second).not.toBe("");
      // The page of its book queries its name, which is then cached.
      const { page } = await stage().open(`/books/polymarket/${second}`, { as: stage().admin, isShared: true });
      await settle(page);
      await goTo(page, first);
      await settle(page);
      await leaveUnanswered(page, second);
      await goTo(page, second);
      const holders = page.getByRole("region", { name: "Largest holders" });
      await holders.getByRole("status").waitFor();
      expect(await holders.locator(".opacity-60").count()).toBe(0);
    });

    it("from one usage filter to another marks stale data, and shows nothing of another account", async () => {
      const { console } = stage();
      await console.ask(574, {}, 1);
      await expect.poll(async () => (await console.get("/usage"))["total"]).not.toBeNull();
      const { page } = await stage().open("/usage", { as: stage().admin, isShared: true, prepare: addCustomer });
      await settle(page);
      const quota = page.getByRole("region", { name: "Quota left" });
      expect(await quota.count()).toBe(1);
      await page.route(/\/api\/console\/.*(status=2xx|account=)/, () => undefined);
      const filters = page.getByRole("search", { name: "Filter the usage" });
      const lines = page.getByRole("table", { name: "Usage by day, key, dataset and status" });
      await filters.getByLabel("Status").selectOption("2xx");
      await page.locator('[aria-busy="true"]').filter({ has: lines }).waitFor();
      await filters.getByLabel("Account").selectOption(CUSTOMER);
      await page.getByRole("status").filter({ hasText: "Loading usage" }).waitFor();
      expect(await lines.count()).toBe(0);
      expect(await quota.count()).toBe(0);
    });

    it("from one day to the next shows the requests of the new day, and times of the former by their day", async () => {
      const { page } = await stage().open("/audit", {
        as: stage().admin,
        isShared: true,
        prepare: (opened) => opened.clock.install(),
      });
      const today = page.getByText(/^today \d\d:\d\d$/);
      await today.first().waitFor();
      await page.clock.fastForward("24:00:00");
      await expect.poll(() => today.count()).toBe(0);
      const lastDay = async (): Promise<number> => {
        const request = await page.waitForRequest((one) => one.url().includes("by=day%2Cstatus"));
        return Date.parse(new URL(request.url()).searchParams.get("to") ?? "");
      };
      const first = lastDay();
      await moveTo(page, "/");
      await first;
      const next = lastDay();
      await page.clock.fastForward("24:00:00");
      expect((await next) - (await first)).toBe(86_400_000);
    });

    it("from one minimum of a price jump to another marks the list of jumps and posts as stale", async () => {
      const { console } = stage();
      const [market] = await console.ask(574, {}, 1);
      const { page } = await stage().open(`/markets/polymarket/${String(market?.["condition_id"])}`, {
        as: stage().admin,
        isShared: true,
      });
      await settle(page);
      const list = page.getByText("No jump this large").or(page.getByRole("list", { name: /^Jumps and posts/ }));
      await list.waitFor();
      await leaveUnanswered(page, '"min_change_pct":"25"');
      await page.getByRole("button", { name: "25 %", exact: true }).click();
      await page.locator('[aria-busy="true"]').filter({ has: list }).waitFor();
    });

    it("from one outcome to the other shows no figures of the first below the second", async () => {
      const { console } = stage();
      const [market] = await console.ask(574, {}, 1);
      const { page } = await stage().open(`/markets/polymarket/${String(market?.["condition_id"])}`, {
        as: stage().admin,
        isShared: true,
      });
      await settle(page);
      await leaveUnanswered(page, String(market?.["side_b_token_id"]));
      await page.getByRole("group", { name: "Outcome", exact: true }).getByRole("button").nth(1).click();
      for (const what of ["Price", "Trades", "Book"]) {
        const card = page.getByRole("region", { name: new RegExp(`^${what} of `) });
        await card.getByRole("status").first().waitFor();
        expect(await card.locator(".opacity-60").count()).toBe(0);
        expect(await card.getByRole("listitem").getByText(/[▲▼]/).count()).toBe(0);
      }
    });
  });
}
