/** How a key's requests are read: as the documentation says, or as programs written for services with this wire format send them. */
export const KEY_MODES = ["strict", "compatible"] as const;
/** One of these. */
export type KeyMode = (typeof KEY_MODES)[number];
