import { describe, expect, it } from "vitest";
import { signIn } from "../../../../../scripts/browser/sign-in.ts";
import type { Stage } from "../stage.ts";

export function journeySigningIn(stage: () => Stage): void {
  describe("signing in", () => {
    it("refuses a wrong password and an unknown address with the same words", async () => {
      const { page, expect: allow } = await stage().open("/sign-in");
      allow(401);
      const told: (string | null)[] = [];
      for (const email of [stage().admin.email, "nobody@almanac.invalid"]) {
        await signIn(page, { email, password: "not the password" });
        await page.getByRole("button", { name: "Sign in" }).waitFor();
        told.push(await page.getByRole("alert").locator("p").first().textContent());
      }
      expect(told[0]).toMatch(/password/i);
      expect(told[1]).toBe(told[0]);
      expect(new URL(page.url()).pathname).toBe("/sign-in");
    });

    it("leads to the page that was asked for, lasts over a reload, and ends", async () => {
      const { page } = await stage().open("/keys");
      await page.waitForURL("**/sign-in**");
      await signIn(page, stage().admin);
      await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/keys");
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
      const cookie = (await page.context().cookies()).find(({ name }) => name === "almanac_session");
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL("**/sign-in**");
      await page.goto(`${stage().origin}/keys`);
      await page.waitForURL("**/sign-in**");
    });

    it("does not end where the service could not end it, and says so", async () => {
      const { page, expect: allow } = await stage().open("/password");
      await signIn(page, stage().admin);
      const corner = page.getByRole("complementary");
      const leave = corner.getByRole("button", { name: "Sign out" });
      await leave.waitFor();
      allow(503);
      await page.route("**/api/console/session", async (route) => {
        const error = { code: "UNAVAILABLE", message: "Sessions cannot be checked now." };
        if (route.request().method() === "DELETE") await route.fulfill({ status: 503, json: { error } });
        else await route.continue();
      });
      await leave.click();
      await corner.getByRole("alert").filter({ hasText: "Sessions cannot be checked now." }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/password");
      await page.unroute("**/api/console/session");
      await leave.click();
      await page.waitForURL("**/sign-in**");
    });

    it("is slowed down after many tries, and says for how long", async () => {
      const { page, expect: allow } = await stage().open("/sign-in");
      allow(401, 429);
      const answers: number[] = [];
      page.on("response", (reply) => {
        if (reply.request().method() === "POST") answers.push(reply.status());
      });
      for (let tries = 1; tries <= 30 && answers.at(-1) !== 429; tries += 1) {
        await signIn(page, { email: "guessed@almanac.invalid", password: `guess ${tries}` });
        await expect.poll(() => answers.length).toBe(tries);
      }
      expect(answers.at(-1)).toBe(429);
      await page
        .getByRole("alert")
        .filter({ hasText: /too many tries/i })
        .waitFor();
    });
  });
}
