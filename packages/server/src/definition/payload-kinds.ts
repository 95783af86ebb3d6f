/** How a raw payload came, in the order of the column's values: an answered call, or a frame of a websocket. */
export const PAYLOAD_KINDS = ["http", "frame"] as const;
