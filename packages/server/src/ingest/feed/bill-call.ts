import type { Call, Host } from "../../definition/connector.ts";
import type { Reservation, Spending } from "../spending.ts";

/** The bill of one attempt at a call. */
export type CallBill = {
  /** The upstream answered with that status; a refusal is not billed. */
  readonly answered: (status: number) => Promise<void>;
  /** What it answered. Where that is lost or does not tell what was billed, all that was set aside counts. */
  readonly given: (answer: unknown) => Promise<void>;
};

/** Sets aside what the call may cost; undefined on a host that does not bill. Throws SpendingCapReached. */
export async function billCall(
  { host, spending }: { readonly host: Host; readonly spending?: Spending | undefined },
  { path, price }: Call,
): Promise<CallBill | undefined> {
  if (spending === undefined) return undefined;
  if (price === undefined) throw new TypeError(`${host.name} bills, and the call of ${path} does not say its price`);
  const reserved: Reservation = await spending.reserve(price);
  return {
    answered: async (status) => {
      if (status < 200 || status >= 300) await reserved.settle(0);
    },
    given: async (answer) => {
      const billed = price.billedMicro(answer);
      if (billed !== undefined) await reserved.settle(billed);
    },
  };
}
