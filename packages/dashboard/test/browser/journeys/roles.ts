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
