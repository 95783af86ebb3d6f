import type { Page } from "playwright-core";

/** Who signs in, and where. */
export type Who = { readonly email: string; readonly password: string };

/** Fills in the form of /sign-in and sends it. */
export async function signIn(page: Page, { email, password }: Who): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
