import { queryAsync } from "chdb";

/** The expected figures of a wallet in a generated world; 64-bit integers as text. */
export type WalletTruth = { readonly wallet: string; readonly cash_pnl_micro: string };

/** Reads the wallets of a generated world from truth/wallets.parquet. */
export async function readTruth(path: string): Promise<WalletTruth[]> {
  const text = `SELECT wallet, toString(cash_pnl_micro) AS cash_pnl_micro FROM file('${path}', Parquet)`;
  const answer = await queryAsync(text, { format: "JSONEachRow" });
  return answer
    .text()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as WalletTruth);
}
