import { z } from "zod";

/** An e-mail address as it is kept: lower case. */
export const emailInput = z.string().trim().toLowerCase().max(254).pipe(z.email());
