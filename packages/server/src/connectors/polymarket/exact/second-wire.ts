import { z } from "zod";

/** The last Unix second that the store holds, in 2106. */
export const LAST_SECOND = 4_294_967_295;

/** A Unix second that the store holds. */
export const secondWire = z.number().int().min(0).max(LAST_SECOND);
