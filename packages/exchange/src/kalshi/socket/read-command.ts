import { z } from "zod";
import { readJson } from "../../faults/json-object.ts";

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

const envelope = z.looseObject({ id: z.int().optional(), cmd: z.string().optional(), params: z.unknown().optional() });
const names = z.array(z.string().max(200)).max(500_000);

const params = z.looseObject({
  channels: z.array(z.unknown()).optional(),
  sids: z.array(z.int()).optional(),
  action: z.string().optional(),
  market_tickers: names.optional(),
  use_yes_price: z.boolean().optional(),
});

export type CommandParams = z.infer<typeof params>;
export type Command = z.infer<typeof envelope>;

/** Parses a frame as a command; throws error 1 when it is none. */
export function readCommand(text: string): Command {
  const parsed = envelope.safeParse(readJson(text));
  if (!parsed.success) throw new CommandError(1);
  return parsed.data;
}

/** Validates the params of a command; throws 2 when they are missing, 11 when one has the wrong type. */
export function readParams(command: Command): CommandParams {
  if (command.params === undefined || command.params === null) throw new CommandError(2);
  const parsed = params.safeParse(command.params);
  if (!parsed.success) throw new CommandError(11);
  return parsed.data;
}
