import type { Console } from "../../access/console.ts";
import type { DatasetDefinition } from "../../definition/dataset.ts";
import type { ExampleValues } from "../../definition/example-values.ts";
import type { RetrieveOptions } from "../retrieve.ts";

/** Dependencies of the console's routes. */
export type ConsoleOptions = RetrieveOptions & {
  readonly console: Console;
  readonly catalogue: readonly DatasetDefinition[];
  readonly publicUrl: string;
  /** Values that fill in the explorer's examples. */
  readonly exampleValues: () => Promise<ExampleValues>;
  /** If absent, streams, store and parked pages are not shown. */
  readonly operator?: OperatorData | undefined;
};

export type ParkedRequested = {
  readonly stream?: string | undefined;
  readonly waiting?: boolean | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
};

/** Internal state for the operator's pages, each as plain JSON that the routes pass on unchanged. */
export type OperatorData = {
  /** As `almanac status --json`, plus current problems. */
  readonly streams: () => Promise<object>;
  /**
   * The engine, its tables and when the last backup completed. Throws CallerError UNAVAILABLE while the engine is down.
   */
  readonly store: () => Promise<object>;
  /** Pages that could not be read, newest first. */
  readonly parked: (requested: ParkedRequested) => Promise<object>;
};
