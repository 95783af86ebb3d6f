import { describe, expect, it } from "vitest";
import type { Stage } from "../stage.ts";

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
  });
}
