/** What the pattern finder takes for a pattern. Why each is as it is: docs/patterns.md. */
export const PATTERN = {
  /** UTC days that a state rests on. */
  days: 30,
  wash: {
    /** Matches of a pair, at least. */
    pairs: 3,
    /** Of the fills of each of the two, at least. */
    pairShare: 0.1,
    /** Of a pair's matches, those in which the one with fewer came out longer, at least. */
    bothWays: 0.2,
    /** Matches and share of fills inside the cluster that give the whole score. */
    fullMatches: 10,
    fullShare: 0.5,
  },
  sybil: {
    pairs: 4,
    /** Of the entries of the one who has fewer, beyond chance. */
    pairShare: 0.1,
    /** Times what chance would give. */
    lift: 3,
    /** Days and markets (each a pair of both) with an entry alike, at least. */
    occasions: 3,
    fullEchoes: 10,
    fullShare: 0.2,
  },
  farmer: {
    /** Average entry that makes a buyer of the all but certain, with so many fills. */
    surePrice: 0.95,
    sureFills: 20,
    /** Splits and merges to each fill, and the maker's share of fills, of one who turns sets over for rewards. */
    setShare: 0.05,
    makerShare: 0.5,
    /** USD of an average fill, beyond which it is no small trader. */
    smallUsd: 50,
    setEvents: 2,
  },
  bothSides: {
    makerShare: 0.8,
    /** Markets quoted (a market on a day is one), at least, and the share of them taken on both sides. */
    quoted: 10,
    twoSided: 0.2,
  },
} as const;
