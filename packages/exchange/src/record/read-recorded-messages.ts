import { readFiveMinuteMessages } from "./read-five-minute-messages.ts";
import { readFleetMessages } from "./read-fleet-messages.ts";
import { readSignaldriftMessages } from "./read-signaldrift-messages.ts";
import type { RecordedMessage } from "./recorded-message.ts";

interface ReadMessagesOptions {
  /** Only frames about one of these tokens. */
  assets?: ReadonlySet<string>;
}

/** Every recorded market frame, one file after the other, streamed: what a replay sends, so that a test can count it. */
export async function* readRecordedMessages(
  dir: string,
  options: ReadMessagesOptions = {},
): AsyncGenerator<RecordedMessage> {
  yield* readFleetMessages(dir, options.assets);
  yield* readFiveMinuteMessages(dir, options.assets);
  yield* readSignaldriftMessages(dir, options.assets);
}
