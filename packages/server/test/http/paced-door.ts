import { memoryAllowances } from "../../src/access/allowances.ts";
import type { Pace } from "../../src/access/caller.ts";
import { answerOf, doorOptions, HEADERS, openDoor, TOKEN } from "./door.ts";

export const PACES: readonly Pace[] = [
  { requestsPerMinute: 60, burst: 30 },
  { requestsPerMinute: 60, burst: 1 },
  { requestsPerMinute: 7, burst: 3 },
  { requestsPerMinute: 77, burst: 11 },
  { requestsPerMinute: 1, burst: 2 },
  { requestsPerMinute: 6000, burst: 10 },
  { requestsPerMinute: 90, burst: 200 },
];

/**
 * A door on a clock of its own, with keys of one account by whatever token; each has `keyPace` for a limit of its own.
 * A question costs as many units as it says.
 */
export async function openPacedDoor(pace: Pace, clock: () => number, keyPace: Pace | null = null) {
  const { access } = doorOptions(async () => answerOf());
  const allowances = memoryAllowances(clock);
  const plan = {
    name: "free",
    ...pace,
    maxPage: 1000,
    maxList: 200,
    atOnce: 128,
    keyAtOnce: 128,
    datasets: "all",
  } as const;
  const caller = { prefix: "alm", accountId: "account-1", plan, keyPace, datasets: null, mode: "strict" } as const;
  const verify = async (token: string) => ({ ...caller, keyId: token });
  const door = await openDoor(
    async (body, { charge }) => {
      await charge?.(Number(body["costs"]));
      return answerOf();
    },
    // Its clock does not wait, so its refusals do not either.
    { access: { ...access, ...allowances, verify }, clock, bounds: { refusalHoldMs: 0 } },
  );
  const ask = async (costs: number, key: string = TOKEN) => {
    const headers = { ...HEADERS, authorization: `Bearer ${key}` };
    return await door.app.inject({ method: "POST", url: door.endpoint, headers, payload: { costs } });
  };
  const leftOf = async (keyId: string) => (await allowances.peek({ ...caller, keyId })).remaining;
  return { door, ask, leftOf, isFree: async (keyId: string) => (await leftOf(keyId)) > 0 };
}
