import type { Access } from "../../access/access.ts";
import type { Console } from "../../access/console.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { Ask } from "../../query/answer.ts";
import type { Bounds } from "../bounds.ts";
import type { Gate } from "../gate.ts";
import type { OperatorData } from "./operator-data.ts";

/** What the console's routes stand on. */
export type ConsoleOptions = {
  readonly console: Console;
  readonly access: Access;
  readonly ask: Ask;
  readonly gate: Gate;
  readonly bounds: Bounds;
  readonly nameOf: ReadonlyMap<number, string>;
  readonly catalogue: readonly DatasetDefinition[];
  readonly publicUrl: string;
  readonly clock: () => number;
  /** Absent: nothing is told of streams, store and parked pages. */
  readonly operator?: OperatorData | undefined;
};
