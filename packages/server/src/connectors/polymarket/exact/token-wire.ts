import { z } from "zod";

/** A position id: a uint256 in decimal digits. Never a JSON number, which cannot hold one. */
export const tokenWire = z.string().regex(/^\d{1,78}$/, "a decimal uint256");
