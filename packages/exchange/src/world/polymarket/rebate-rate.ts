/** Share of the takers' fees paid back to makers, in 1e-4; Gamma's `rebateRate`. */
export const REBATE_RATE_E4 = 2000;
