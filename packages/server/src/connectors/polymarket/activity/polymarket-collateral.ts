import { activityContracts } from "./activity-contracts.ts";

/** Whether a position is of Polymarket's money and stands alone: others use ConditionalTokens too. */
export function polymarketCollateral(collateral: string, parentCollectionId: string): boolean {
  const isMoney = collateral === activityContracts.usdcE || collateral === activityContracts.wrappedCollateral;
  return isMoney && BigInt(parentCollectionId) === 0n;
}
