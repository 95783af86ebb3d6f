/** How a key's requests are parsed: as documented, or as programs for services with the same wire format send them. */
export const KEY_MODES = ["strict", "compatible"] as const;
/** One of these. */
export type KeyMode = (typeof KEY_MODES)[number];
