import { fromDefinition, type Sql } from "../../definition/sql.ts";
import { PRICE_RESOLUTIONS } from "./price-resolutions.ts";

type Resolution = keyof typeof PRICE_RESOLUTIONS;

/** Resolutions that are worked out together. */
export type ResolutionPart = {
  readonly resolutions: readonly Resolution[];
  /** As SQL: `'1m', '5m'`. */
  readonly names: Sql;
  /** As SQL: `60, 300`. */
  readonly lengths: Sql;
  /** The longest, in seconds: it sets how far back is read. */
  readonly longest: number;
};

/** Some of the resolutions, finest first. */
export function resolutionPart(...resolutions: readonly Resolution[]): ResolutionPart {
  const lengths = resolutions.map((name) => PRICE_RESOLUTIONS[name]);
  return {
    resolutions,
    names: fromDefinition(resolutions.map((name) => `'${name}'`).join(", ")),
    lengths: fromDefinition(lengths.join(", ")),
    longest: Math.max(...lengths),
  };
}
