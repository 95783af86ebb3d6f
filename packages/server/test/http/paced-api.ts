import { memoryAllowances } from "../../src/access/allowances.ts";
import type { Pace } from "../../src/access/caller.ts";
import { answerOf, apiOptions, HEADERS, openApi, TOKEN } from "./api.ts";

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
 * Opens a server on the given clock. Every token is a key of one account; each key has `keyPace` as its own limit. A
 * request costs as many units as its body says.
 */
export async function openPacedApi(pace: Pace, clock: () => number, keyPace: Pace | null = null) {
  const { access } = apiOptions(async () => answerOf());
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
  const api = await openApi(
    async (body, { charge }) => {
      await charge?.(Number(body["costs"]));
      return answerOf();
    },
    // The clock is not real, so refusals are not delayed.
    { access: { ...access, ...allowances, verify }, clock, bounds: { refusalHoldMs: 0 } },
  );
  const ask = async (costs: number, key: string = TOKEN) => {
    const headers = { ...HEADERS, authorization: `Bearer ${key}` };
    return await api.app.inject({ method: "POST", url: api.endpoint, headers, payload: { costs } });
  };
  const leftOf = async (keyId: string) => (await allowances.peek({ ...caller, keyId })).remaining;
  return { api, ask, leftOf, isFree: async (keyId: string) => (await leftOf(keyId)) > 0 };
}
