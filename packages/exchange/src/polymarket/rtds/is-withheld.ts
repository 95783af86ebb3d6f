import { createHash } from "node:crypto";

/** Whether RTDS never sends a transaction: `perMille` per thousand, the same ones in every run of a seed. */
export function isWithheld(seed: number, txHash: string, perMille: number): boolean {
  const digest = createHash("sha256").update(`rtds|${seed}|${txHash}`).digest();
  return digest.readUInt32BE(0) % 1000 < perMille;
}
