import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { makeUser, signIn, type Who } from "../../../../../scripts/browser/console-client.ts";
import type { Stage } from "../stage.ts";

const nameOf = ({ email }: Who): string => email.split("@", 1)[0] ?? "";

/** Signs in in a new tab of the same browser after dropping its session cookie. */
async function signInBeside(page: Page, origin: string, who: Who): Promise<void> {
  await page.context().clearCookies({ name: "almanac_session" });
  const beside = await page.context().newPage();
  await beside.goto(`${origin}/sign-in`);
  await signIn(beside, who);
  await beside.getByText(nameOf(who), { exact: true }).first().waitFor();
  await beside.close();
}

export function journeySigningIn(stage: () => Stage): void {
  describe("signing in and out", () => {
    it("gives the same message for a wrong password and an unknown address", async () => {
      const { page, expect: allow } = await stage().open("/sign-in", { isShared: true });
      allow(401);
      const reported: (string | null)[] = [];
      for (const email of [stage().admin.email, "nobody@almanac.invalid"]) {
        await signIn(page, { email, password: "not the password" });
        await page.getByRole("button", { name: "Sign in" }).waitFor();
        reported.push(await page.getByRole("alert").locator("p").first().textContent());
      }
      expect(reported[0]).toMatch(/password/i);
      expect(reported[1]).toBe(reported[0]);
      expect(new URL(page.url()).pathname).toBe("/sign-in");
    });

    it("leads to the requested page; the session survives a reload and ends on sign-out", async () => {
      const { page } = await stage().open("/keys", { isShared: true });
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

    it("keeps the user signed in and shows the error if the service cannot end the session", async () => {
      const { page, expect: allow } = await stage().open("/password", { isShared: true });
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

    it("in another tab continues here with the new session, and shows the user who signed in there", async () => {
      const first = await stage().member();
      const second = await makeUser(stage(), { email: `second-${Date.now()}@almanac.invalid`, role: "member" });
      const { page, expect: allow } = await stage().open("/explore/polymarket-tags", { isShared: true });
      await signIn(page, first);
      await page.getByText(nameOf(first), { exact: true }).waitFor();
      await signInBeside(page, stage().origin, first);
      // A request with the old CSRF token is refused once.
      allow(403);
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("grid").waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      await signInBeside(page, stage().origin, second);
      await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
      await page.getByText(nameOf(second), { exact: true }).waitFor();
      expect(await page.getByText(nameOf(first), { exact: true }).count()).toBe(0);
    });

    it("finds the forms as they were filled in, if the session ended before they were sent", async () => {
      const { page, expect: allow } = await stage().open("/explore/polymarket-tags", { isShared: true });
      allow(401);
      await signIn(page, stage().admin);
      const limit = page.locator('form [name="limit"]');
      await limit.fill("3");
      await page.context().clearCookies({ name: "almanac_session" });
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByLabel("E-mail").waitFor();
      expect(await limit.isVisible()).toBe(false);
      await signIn(page, stage().admin);
      expect(await limit.inputValue()).toBe("3");
      expect(await page.getByText(/^Running/).count()).toBe(0);
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("grid").waitFor();
      await page.context().clearCookies({ name: "almanac_session" });
      await page.getByRole("button", { name: "Download" }).click();
      await page.getByLabel("E-mail").waitFor();
      await signIn(page, stage().admin);
      expect(await limit.inputValue()).toBe("3");

      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Usage" }).click();
      const csv = page.getByText("CSV", { exact: true });
      const files: string[] = [];
      page.on("download", (file) => files.push(file.suggestedFilename()));
      await csv.click();
      await expect.poll(() => files).toEqual([expect.stringMatching(/^usage-[\d-]{10}-[\d-]{10}\.csv$/)]);
      await page.context().clearCookies({ name: "almanac_session" });
      await csv.click();
      await page.getByLabel("E-mail").waitFor();
      expect(files).toHaveLength(1);
      await signIn(page, stage().admin);

      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Keys" }).click();
      await page.getByRole("button", { name: "Create key" }).first().click();
      const name = page.getByRole("dialog").getByLabel("Name");
      const wanted = `kept ${Date.now().toString(36)}`;
      await name.fill(wanted);
      await page.context().clearCookies({ name: "almanac_session" });
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      await page.getByLabel("E-mail").waitFor();
      expect(await name.isVisible()).toBe(false);
      await signIn(page, stage().admin);
      expect(await name.inputValue()).toBe(wanted);
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      const saved = page.getByRole("button", { name: "I have saved it" });
      await saved.waitFor();
      // The key is shown only once: it stays until it is saved.
      const ended = page.waitForResponse((reply) => reply.url().endsWith("/session") && reply.status() === 401);
      await page.context().clearCookies({ name: "almanac_session" });
      await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
      await ended;
      expect(await page.getByRole("dialog").getByLabel("key", { exact: true }).textContent()).toContain("alm_live_");
      await saved.click();
      await page.getByLabel("E-mail").waitFor();
    });

    it("is throttled after many attempts, and shows how long to wait", async () => {
      const { page, expect: allow } = await stage().open("/sign-in", { isShared: true });
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
        .filter({ hasText: /too many sign-in attempts/i })
        .waitFor();
    });
  });
}
