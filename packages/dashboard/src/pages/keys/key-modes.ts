import type { KeyMode } from "../../api/keys.ts";

export const KEY_MODE_CHOICES = [
  { value: "strict", label: "Strict" },
  { value: "compatible", label: "Compatible" },
] as const satisfies readonly { value: KeyMode; label: string }[];

const HELP: Readonly<Record<KeyMode, string>> = {
  strict: "An unknown or invalid parameter is an error. For programs written for this service.",
  compatible:
    "Requests and responses as programs for another service of this format send and read them; ignored parameters are in the response's warnings.",
};

export const keyModeHelp = (mode: string): string => HELP[toKeyMode(mode)];

/** The mode for a choice of the list. */
export function toKeyMode(choice: string): KeyMode {
  return choice === "compatible" ? "compatible" : "strict";
}
