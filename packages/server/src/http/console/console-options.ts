import type { Console } from "../../access/console.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { ExampleValues } from "../../definition/example-values.ts";
import type { RetrieveOptions } from "../retrieve.ts";

/** What the console's routes stand on. */
export type ConsoleOptions = RetrieveOptions & {
  readonly console: Console;
  readonly catalogue: readonly DatasetDefinition[];
  readonly publicUrl: string;
  /** What the explorer's examples are filled in with. */
  readonly exampleValues: () => Promise<ExampleValues>;
  /** Absent: nothing is told of streams, store and parked pages. */
  readonly operator?: OperatorData | undefined;
};

export type ParkedAsked = {
  readonly stream?: string | undefined;
  readonly waiting?: boolean | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
};

/** What the operator's pages show of the inside of the service, each as plain JSON. The door hands it on as it is. */
export type OperatorData = {
  /** As `almanac status --json`, with what is in trouble. */
  readonly streams: () => Promise<object>;
  /** The engine, its tables and when the last backup ended well. Throws CallerError UNAVAILABLE while the engine does not answer. */
  readonly store: () => Promise<object>;
  /** Pages that could not be read, newest first. */
  readonly parked: (asked: ParkedAsked) => Promise<object>;
};
