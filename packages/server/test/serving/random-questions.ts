import type { Draw } from "./random-fills.ts";

type Below = Draw["below"];

/** Random query parameters, each present with a chance of one in `odds`. */
export function randomParams(below: Below): {
  readonly params: Record<string, string>;
  readonly chance: (name: string, odds: number, value: () => string) => void;
} {
  const params: Record<string, string> = {};
  return {
    params,
    chance: (name, odds, value) => {
      if (below(odds) === 0) params[name] = value();
    },
  };
}

/** Two random numbers below `end`, the smaller one first. */
export const randomRange = (below: Below, end: number): [number, number] =>
  [below(end), below(end)].toSorted((a, b) => a - b) as [number, number];

export const randomPage = (below: Below): Readonly<Record<string, unknown>> => ({
  limit: [1, 10, 100, 500][below(4)],
  ...(below(4) === 0 ? { offset: below(60) } : {}),
});
