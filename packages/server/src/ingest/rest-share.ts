/** Costly turns come seldom: after one it is rested for so many times as long, at most a fifth of the time is work. */
export const REST_SHARE = 4;
