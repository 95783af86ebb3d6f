import { z } from "zod";

/** A JSON-RPC quantity (`0x53d6ccd`) that fits a JavaScript integer: block numbers, seconds, indexes. */
export const quantityWire = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,13}$/, "a JSON-RPC quantity below 2^52")
  .transform((text) => Number.parseInt(text, 16));
