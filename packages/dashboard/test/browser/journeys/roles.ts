import { describe, expect, it } from "vitest";
import { settle } from "../../../../../scripts/browser/settle.ts";
import { moveTo } from "../move-to.ts";
import { OPERATOR_PAGES } from "../operator-pages.ts";
import type { Stage } from "../stage.ts";

export function journeyRoles(stage: () => Stage): void {
  describe("roles", () => {
    it("lets an operator read at once what a changed plan of the own account includes", async () => {
      const { page } = await stage().open("/explore", { as: stage().admin, isShared: true });
      await settle(page);
      const links = page.getByRole("navigation", { name: "Pages" });
      await links.getByRole("link", { name: "Accounts" }).click();
      await page.route("**/api/console/operator/accounts/*/plan", (route) => route.fulfill({ json: {} }));
      const session = page.waitForRequest("**/api/console/session");
      const definitions = page.waitForRequest("**/api/console/datasets");
      await page
        .getByRole("button", { name: /^Change the plan of/ })
        .first()
        .click();
      await page.getByRole("button", { name: "Set plan" }).click();
      await session;
      await links.getByRole("link", { name: "Explore" }).click();
      await definitions;
    });

    it("show what the account's new plan includes, without a reload", async () => {
      let [plan, mayRead] = ["free", false];
      const { page } = await stage().open("/leaderboards?board=score", {
        as: await stage().member(),
        isShared: true,
        prepare: async (opened) => {
          await opened.route("**/api/console/datasets", async (route) => {
            const response = await route.fetch();
            const reported = (await response.json()) as { datasets: { agent_id: number }[] };
            const listed = reported.datasets.map((one) => (one.agent_id === 584 ? { ...one, may_read: mayRead } : one));
            await route.fulfill({ response, json: { ...reported, datasets: listed } });
          });
          await opened.route("**/api/console/session", async (route) => {
            const response = await route.fetch();
            const reported = (await response.json()) as { user: { account: object } };
            const user = { ...reported.user, account: { ...reported.user.account, plan } };
            await route.fulfill({ response, json: { ...reported, user } });
          });
        },
      });
      const refusal = page.getByText("Not in your plan");
      await refusal.waitFor();
      [plan, mayRead] = ["pro", true];
      await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
      await refusal.waitFor({ state: "detached" });
    });

    it("hide the operator's links and pages, and the list of users, from a member", async () => {
      const { page, expect: allow } = await stage().open("/", { as: await stage().member(), isShared: true });
      await settle(page);
      expect(await page.getByRole("navigation", { name: "Pages" }).getByText("Operator").count()).toBe(0);
      for (const [path] of OPERATOR_PAGES) {
        await moveTo(page, path);
        await page.getByText("This page is not for your role").waitFor();
      }
      allow(403);
      const statuses = await page.evaluate(
        async (paths) => Promise.all(paths.map(async (path) => (await fetch(`/api/console${path}`)).status)),
        [...OPERATOR_PAGES.map(([path]) => path), "/users"],
      );
      expect(new Set(statuses)).toEqual(new Set([403]));
    });
  });
}
