const MESSAGES = {
  1: "Unable to process message",
  2: "Params required",
  3: "Channels required",
  5: "Unknown command",
  7: "Unknown subscription ID",
  8: "Unknown channel name",
  11: "Invalid parameter",
  12: "Exactly one subscription ID is required",
  13: "Unsupported action",
  14: "Market Ticker required",
  15: "Action required",
  25: "Subscription buffer overflow",
} as const;

/** Error reply to a websocket command, with Kalshi's code. */
export class CommandError extends Error {
  readonly code: keyof typeof MESSAGES;

  constructor(code: keyof typeof MESSAGES) {
    super(MESSAGES[code]);
    this.name = "CommandError";
    this.code = code;
  }
}
