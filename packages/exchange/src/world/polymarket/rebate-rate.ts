/** Share of the takers' fees that makers get back, in 1e-4: what Gamma calls `rebateRate`. */
export const REBATE_RATE_E4 = 2000;
