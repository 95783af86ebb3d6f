import type { Store } from "../store.ts";
import type { Target } from "./put-rows.ts";
import type { RowPipe } from "./row-pipe.ts";

/** Where a move is: so many of its pieces are done. */
export type MoveProgress = {
  readonly phase: "whole" | "changes" | "compare" | "mend" | "backup" | "restore";
  readonly table: string;
  readonly done: number;
  readonly of: number;
};

/** Rows on their way from one store to another. */
export type Move = {
  readonly source: { readonly store: Pick<Store, "rows">; readonly pipe: Pick<RowPipe, "read"> };
  readonly target: Target;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Bytes (as the engine sends them) a second at most. */
  readonly bytesPerSecond?: number | undefined;
  /** About so many bytes of the engine's memory a slice. */
  readonly sliceBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: MoveProgress) => void) | undefined;
  readonly onBytes?: ((bytes: number) => void) | undefined;
};
