import type { Caller } from "../access/caller.ts";
import type { KeyMode } from "../definition/key-mode.ts";

/** The mode of the key that asks; strict where none is known yet. */
export const modeOf = (caller: Pick<Caller, "mode"> | undefined): KeyMode => caller?.mode ?? "strict";
