/** Origin of a raw payload, in the order of the column's values: an HTTP response or a websocket frame. */
export const PAYLOAD_KINDS = ["http", "frame"] as const;
