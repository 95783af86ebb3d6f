import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { datasets } from "../../../../server/src/catalogue.ts";
import { addCustomer, CUSTOMER } from "../add-customer.ts";
import type { Stage } from "../stage.ts";

const KEY = /alm_live_[a-z2-7]{26}_[a-z2-7]{6}/;

/** Status of a request made with a key. */
async function askWith(stage: Stage, key: string): Promise<number> {
  const reply = await fetch(`${stage.origin}/api/v2/semantic/retrieve/parameterized`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ agent_id: 574, params: {}, pagination: { limit: 1 } }),
  });
  return reply.status;
}

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "Create key" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  return takeSecret(page);
}

/** Reads the secret that is shown once, and closes the dialog. */
async function takeSecret(page: Page): Promise<string> {
  const kept = page.getByRole("button", { name: "I have saved it" });
  await kept.waitFor();
  const text = await page.getByRole("dialog").getByLabel("key", { exact: true }).textContent();
  await kept.click();
  return KEY.exec(text ?? "")?.[0] ?? "";
}

/** A name not taken by an earlier run, if the demo is kept between runs. */
const named = (name: string): string => `${name} ${Date.now().toString(36)}`;
const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

export function journeyKeys(stage: () => Stage): void {
  describe("keys", () => {
    it("are shown once, work, and are listed by name and prefix", async () => {
      const { page } = await stage().open("/keys", { as: stage().admin, isShared: true, isKept: true });
      const exporting = named("nightly export");
      const key = await createKey(page, exporting);
      expect(key).toMatch(KEY);
      expect(await askWith(stage(), key)).toBe(200);
      await rowOf(page, exporting).waitFor();
      expect(await page.content()).not.toContain(key);
      await page.reload();
      await rowOf(page, exporting).waitFor();
      expect(await page.content()).not.toContain(key);
      expect(await rowOf(page, exporting).textContent()).toContain(key.slice(0, 15));
      expect(page.url()).not.toContain(key);
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(key);
    });

    it("are listed page by page, up to the newest", async () => {
      const { page } = await stage().open("/keys", { as: stage().admin, isShared: true });
      const [older, newest] = [named("an older one"), named("the newest one")];
      for (const name of [older, newest]) await createKey(page, name);
      // As if the first page had room for only one.
      await page.route(/\/api\/console\/keys$/, async (route) => {
        const response = await route.fetch();
        const { keys } = (await response.json()) as { keys: unknown[] };
        await route.fulfill({ response, json: { keys: keys.slice(0, 1), has_more: true } });
      });
      await page.reload();
      const more = page.getByRole("button", { name: "Show more" });
      await more.waitFor();
      expect(await rowOf(page, newest).count()).toBe(0);
      await more.click();
      await rowOf(page, newest).waitFor();
      expect(await more.count()).toBe(0);
    });

    it("offer only the datasets of the chosen account's plan when created for another account", async () => {
      const dear = datasets.find(({ plan }) => plan !== "free");
      expect(dear).toBeDefined();
      const { page } = await stage().open("/keys", { as: stage().admin, isShared: true, prepare: addCustomer });
      await page.getByRole("button", { name: "Create key" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("radio", { name: "Only these" }).check();
      await dialog.getByLabel("Find a dataset").fill(String(dear?.agentId));
      const tick = dialog.getByRole("checkbox").first();
      await tick.check();
      await dialog.getByLabel("Account").selectOption(CUSTOMER);
      await dialog.getByText("No dataset matches.").waitFor();
      await dialog.getByText("(0 chosen)").waitFor();
    });

    it("are refused within a second of being revoked", async () => {
      const { page } = await stage().open("/keys", { as: stage().admin, isShared: true, isKept: true });
      const doomed = named("to be revoked");
      const key = await createKey(page, doomed);
      expect(await askWith(stage(), key)).toBe(200);
      await page.getByRole("button", { name: `Revoke ${doomed}` }).click();
      const answered = page.waitForResponse((reply) => reply.url().endsWith("/revoke"));
      await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
      await answered;
      const revokedAt = performance.now();
      while ((await askWith(stage(), key)) !== 401) expect(performance.now() - revokedAt).toBeLessThan(1000);
      await rowOf(page, doomed).getByText("revoked", { exact: true }).waitFor();
    });

    it("have a mode that is shown and can be changed; the demo has a key of each mode", async () => {
      const { page } = await stage().open("/keys", { as: stage().admin, isShared: true, isKept: true });
      await rowOf(page, "demo-compatible").first().getByText("compatible", { exact: true }).waitFor();
      expect(await askWith(stage(), stage().demo.compatible_key)).toBe(200);
      const moving = named("moving program");
      await page.getByRole("button", { name: "Create key" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill(moving);
      await dialog.getByLabel("Mode").selectOption({ label: "Compatible" });
      await dialog.getByRole("button", { name: "Create key" }).click();
      const key = await takeSecret(page);
      expect(await askWith(stage(), key)).toBe(200);
      await rowOf(page, moving).getByText("compatible", { exact: true }).waitFor();
      await page.getByRole("button", { name: `Change the mode of ${moving}` }).click();
      await dialog.getByLabel("Mode").selectOption({ label: "Strict" });
      await dialog.getByRole("button", { name: "Change mode" }).click();
      await rowOf(page, moving).getByText("strict", { exact: true }).waitFor();
    });

    it("have a limit of their own within the account's that is shown and can be changed and removed", async () => {
      const { page } = await stage().open("/keys", { as: stage().admin, isShared: true, isKept: true });
      const slow = named("slow program");
      await page.getByRole("button", { name: "Create key" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill(slow);
      await dialog.getByLabel("Requests a minute").fill("1");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await dialog.getByText("Give both, or leave both empty.").waitFor();
      await dialog.getByLabel("Burst").fill("1");
      await dialog.getByRole("button", { name: "Create key" }).click();
      const key = await takeSecret(page);
      await rowOf(page, slow).getByText("1 a minute, burst 1", { exact: true }).waitFor();
      expect([await askWith(stage(), key), await askWith(stage(), key)]).toEqual([200, 429]);
      await page.getByRole("button", { name: `Change the limit of ${slow}` }).click();
      await dialog.getByLabel("Requests a minute").fill("1.5");
      await dialog.getByRole("button", { name: "Change limit" }).click();
      await dialog.getByText("“1.5” is not a whole number.").waitFor();
      for (const label of ["Requests a minute", "Burst"]) await dialog.getByLabel(label).fill("");
      await dialog.getByRole("button", { name: "Change limit" }).click();
      await rowOf(page, slow).getByText("the plan's", { exact: true }).waitFor();
      await expect.poll(() => askWith(stage(), key)).toBe(200);
    });

    it("are rotated with an overlap in which both keys work", async () => {
      const { page } = await stage().open("/keys", { as: stage().admin, isShared: true, isKept: true });
      const trading = named("trading bot");
      const before = await createKey(page, trading);
      await page.getByRole("button", { name: `Rotate ${trading}` }).click();
      await page.getByLabel("Both work for").selectOption({ label: "An hour" });
      await page.getByRole("button", { name: "Create the new key" }).click();
      const after = await takeSecret(page);
      expect(after).toMatch(KEY);
      expect(after).not.toBe(before);
      expect([await askWith(stage(), before), await askWith(stage(), after)]).toEqual([200, 200]);
      await rowOf(page, trading).getByText("being replaced").waitFor();
    });
  });
}
