import { createAccount } from "../../packages/server/src/access/create-account.ts";
import { createKey } from "../../packages/server/src/access/create-key.ts";
import { editPlan } from "../../packages/server/src/access/edit-plan.ts";
import type { Records } from "../../packages/server/src/records/records.ts";

export type ScaleKeys = {
  /** Lets everything through. */
  readonly wide: string;
  /** Of a plan with LIMITED_PER_MINUTE. */
  readonly limited: string;
};

export const LIMITED_PER_MINUTE = 120;
const WIDE = { requests_per_minute: 1_000_000, burst: 1_000_000, max_page: 10_000 };

/** Two accounts with a key each, as an operator makes them. */
export async function makeScaleKeys({ db }: Records): Promise<ScaleKeys> {
  const desk = { db, clock: Date.now, actor: "scale" };
  await editPlan(desk, "enterprise", WIDE);
  await editPlan(desk, "free", { requests_per_minute: LIMITED_PER_MINUTE, burst: 10 });
  const keyOf = async (plan: string): Promise<string> => {
    const { account } = await createAccount(desk, { name: plan, email: `${plan}@almanac.invalid`, plan });
    return (await createKey(desk, { account: account.id })).key;
  };
  return { wide: await keyOf("enterprise"), limited: await keyOf("free") };
}
