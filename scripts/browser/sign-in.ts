import type { Page } from "playwright-core";

/** Credentials to sign in with. */
export type Who = { readonly email: string; readonly password: string };

/** Fills in the form of /sign-in and submits it. */
export async function signIn(page: Page, { email, password }: Who): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
