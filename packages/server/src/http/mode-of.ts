import type { Caller } from "../access/caller.ts";
import type { KeyMode } from "../definition/key-mode.ts";

/** The mode of the caller's key; strict if none is known yet. */
export const modeOf = (caller: Pick<Caller, "mode"> | undefined): KeyMode => caller?.mode ?? "strict";
