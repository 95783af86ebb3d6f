import type { Page } from "playwright-core";

export const CUSTOMER = "acc_customer";

/** From now on the list of accounts contains one more, a customer's. */
export async function addCustomer(page: Page): Promise<void> {
  await page.route(/\/api\/console\/operator\/accounts$/, async (route) => {
    const response = await route.fetch();
    const reported = (await response.json()) as { accounts: Record<string, unknown>[] };
    const customer = { ...reported.accounts[0], id: CUSTOMER, name: "Customer", plan: "free" };
    await route.fulfill({ response, json: { ...reported, accounts: [...reported.accounts, customer] } });
  });
}
