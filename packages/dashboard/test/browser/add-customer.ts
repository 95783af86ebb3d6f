import type { Page } from "playwright-core";

/** From now on accounts are read as if there were one more, of a customer. */
export async function addCustomer(page: Page): Promise<{ readonly id: string }> {
  const id = "acc_customer";
  await page.route(/\/api\/console\/operator\/accounts$/, async (route) => {
    const response = await route.fetch();
    const told = (await response.json()) as { accounts: Record<string, unknown>[] };
    const customer = { ...told.accounts[0], id, name: "Customer", plan: "free" };
    await route.fulfill({ response, json: { ...told, accounts: [...told.accounts, customer] } });
  });
  return { id };
}
