import { PATTERNS, type JudgedWallet, type Pattern } from "./read-patterns.ts";

/** Which of the world's styles shows a pattern. */
const STYLES: Readonly<Record<Pattern, string>> = {
  wash: "wash",
  sybil: "sybil",
  farmer: "farmer",
  both_sides: "maker",
};
const IS_FOUND = 50;

export type Judged = {
  readonly pattern: Pattern;
  readonly by: "ours" | "naive";
  readonly truth: number;
  readonly named: number;
  readonly right: number;
  readonly precision: number | null;
  readonly recall: number | null;
  /** Rings of which two thirds of the wallets are named and in one cluster. */
  readonly rings: number | null;
  readonly ringsFound: number | null;
  /** Clusters that hold wallets of one ring alone, of all. */
  readonly clusters: number | null;
  readonly pureClusters: number | null;
};

/** Precision and recall of each pattern by wallet, and by ring where there are rings. */
export function judgePatterns(wallets: readonly JudgedWallet[]): Judged[] {
  return PATTERNS.flatMap((pattern) => {
    const isTrue = ({ style }: JudgedWallet): boolean => style === STYLES[pattern];
    const ours = wallets.filter(({ score }) => score[pattern] >= IS_FOUND);
    const naive = wallets.filter((one) => one.naive[pattern]);
    const truth = wallets.filter(isTrue);
    const tell = (by: Judged["by"], named: readonly JudgedWallet[], rings: Partial<Judged>): Judged => {
      const right = named.filter(isTrue).length;
      return {
        pattern,
        by,
        truth: truth.length,
        named: named.length,
        right,
        precision: named.length === 0 ? null : right / named.length,
        recall: truth.length === 0 ? null : right / truth.length,
        rings: null,
        ringsFound: null,
        clusters: null,
        pureClusters: null,
        ...rings,
      };
    };
    return [tell("ours", ours, judgeRings(pattern, truth, ours)), tell("naive", naive, {})];
  });
}

const isPure = (members: readonly JudgedWallet[]): boolean =>
  members.every(({ ring }) => ring >= 0 && ring === members[0]?.ring);

function judgeRings(pattern: Pattern, truth: readonly JudgedWallet[], named: readonly JudgedWallet[]): Partial<Judged> {
  if (pattern !== "wash" && pattern !== "sybil") return {};
  const rings = Map.groupBy(truth, ({ ring }) => ring);
  const clusters = Map.groupBy(named, ({ cluster }) => cluster[pattern]);
  const largest = (members: readonly JudgedWallet[]): number => {
    const found = members.filter(({ score }) => score[pattern] >= IS_FOUND);
    const sizes = [...Map.groupBy(found, ({ cluster }) => cluster[pattern]).values()].map(({ length }) => length);
    return Math.max(0, ...sizes);
  };
  const ringsFound = [...rings.values()].filter((members) => 3 * largest(members) >= 2 * members.length).length;
  const pureClusters = [...clusters.values()].filter(isPure).length;
  return { rings: rings.size, ringsFound, clusters: clusters.size, pureClusters };
}
