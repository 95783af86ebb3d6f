import type { Mutation } from "../mutation.ts";

/** What a figure in dollars hangs on: the rules of profit and of fees. */
export const MONEY: readonly Mutation[] = [
  {
    id: "proceeds-of-nothing",
    area: "profit",
    file: "derivations/wallet/apply-operation.ts",
    find: "const ours = released.shares < shares ? mulDivFloor(proceeds, released.shares, shares) : proceeds;",
    replace: "const ours = proceeds;",
    breaks: "proceeds of shares that were never bought count as profit",
    tests: ["derivations/fold-wallet.test.ts"],
  },
  {
    id: "venue-average-after-sale",
    area: "profit",
    file: "derivations/wallet/venue-position.ts",
    find: "this.#paid = addMicros(this.costOf(this.#shares), usd);",
    replace: "this.#paid = addMicros(this.#paid, usd);",
    breaks: "the entry price includes the cost of shares already sold",
    tests: ["derivations/venue-positions.test.ts"],
  },
  {
    id: "resolution-before-trade",
    area: "profit",
    file: "derivations/wallet/fold-wallet.ts",
    find: "if (block === 0 || resolution.isFromCatalogue) return false;",
    replace: "if (block === 0 || resolution.isFromCatalogue) return true;",
    breaks: "a trade in the second of a resolution is booked after it",
    tests: ["derivations/fold-wallet.test.ts"],
  },
  {
    id: "fee-not-in-cash",
    area: "fees",
    file: "derivations/wallet/apply-operation.ts",
    find: "day.cash = addMicros(day.cash, lessMicros(usd, fee));",
    replace: "day.cash = addMicros(day.cash, usd);",
    breaks: "cash is too high by every fee paid",
    tests: ["derivations/fold-wallet.test.ts"],
  },
  {
    id: "fee-in-shares-as-dollars",
    area: "fees",
    file: "connectors/polymarket/chain/fill-legs.ts",
    find: "const feeUsd = !isBuy ? fee : shares === 0n ? 0n : (fee * usd) / shares;",
    replace: "const feeUsd = fee;",
    breaks: "the fee of a V1 buyer, paid in shares, is reported as dollars",
    tests: ["connectors/polymarket/chain.test.ts"],
  },
];
