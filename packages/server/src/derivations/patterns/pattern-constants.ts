/** Thresholds of the pattern finder; docs/patterns.md explains each. */
export const PATTERN = {
  /** UTC days that a state depends on. */
  days: 30,
  wash: {
    /** Fewest matches of a pair. */
    pairs: 3,
    /** Smallest share of each wallet's fills. */
    pairShare: 0.1,
    /** Smallest share of a pair's matches in which the wallet that became longer less often did so. */
    bothWays: 0.2,
    /** Matches and share of fills inside the cluster that give the full score. */
    fullMatches: 10,
    fullShare: 0.5,
  },
  sybil: {
    pairs: 4,
    /** Smallest share, beyond chance, of the entries of the wallet with fewer. */
    pairShare: 0.1,
    /** Smallest multiple of the number expected by chance. */
    lift: 3,
    /** Fewest days and markets (counted as day-market pairs) with a similar entry. */
    occasions: 3,
    fullEchoes: 10,
    fullShare: 0.2,
  },
  farmer: {
    /** Average entry price that marks a buyer of near-certain outcomes, with at least this many fills. */
    surePrice: 0.95,
    sureFills: 20,
    /** Splits and merges per fill, and the maker's share of fills, that mark a wallet that cycles sets for rewards. */
    setShare: 0.05,
    makerShare: 0.5,
    /** USD of an average fill beyond which a wallet is not a small trader. */
    smallUsd: 50,
    setEvents: 2,
  },
  bothSides: {
    makerShare: 0.8,
    /** Fewest markets quoted (counted per day), and the smallest share of them filled on both sides. */
    quoted: 10,
    twoSided: 0.2,
  },
} as const;
