import { z } from "zod";

/** A condition id as 0x-hex of 32 bytes in lower case. The 31-byte ids of PolyV2 are padded right, as upstream does. */
export const conditionWire = z
  .string()
  .regex(/^0x([0-9a-fA-F]{62}|[0-9a-fA-F]{64})$/, "a condition id of 31 or 32 bytes")
  .transform((id) => id.toLowerCase().padEnd(66, "0"));
