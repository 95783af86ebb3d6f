export type Outbox<Message> = {
  readonly post: (message: Message) => void;
  /** Sends what waits; `done` is called once it is on its way. */
  readonly flush: (done?: () => void) => void;
};

/** Sends the messages of one turn of the event loop together: each sending costs as much as many messages. */
export function openOutbox<Message>(send: (messages: readonly Message[], done?: () => void) => void): Outbox<Message> {
  let waiting: Message[] = [];
  const flush = (done?: () => void): void => {
    const messages = waiting;
    waiting = [];
    if (messages.length > 0 || done !== undefined) send(messages, done);
  };
  return {
    flush,
    post: (message) => {
      if (waiting.push(message) === 1) setImmediate(() => flush());
    },
  };
}
