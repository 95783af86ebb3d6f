import { LEAST_DAYS } from "../../derivations/wallet-score/probabilistic-sharpe.ts";

/** Of T daily returns with skewness γ₃ and kurtosis γ₄. */
export const PROBABILISTIC_SHARPE = "Φ[SR·√(T − 1)/√(1 − γ₃SR + ((γ₄ − 1)/4)·SR²)]";

/** What the field says beside a Sharpe ratio, in the words of its formula. */
export const SHARPE_PROBABILITY = `\`sharpe_probability\` = ${PROBABILISTIC_SHARPE}, the probability that the true Sharpe ratio is above 0: SR = mean(r) / sd(r), T days, γ₃ and γ₄ the skewness and kurtosis of r; null under ${LEAST_DAYS} such days or where they do not differ.`;
