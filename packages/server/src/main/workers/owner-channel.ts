import type { Allowances } from "../../access/allowances.ts";
import { RecordsError } from "../../records/records-error.ts";
import type { WorkerRequest, FromWorker, Report, Reply, ToWorker } from "./protocol.ts";

/** A worker's connection to the process that started it. */
export type OwnerChannel = {
  readonly records: (text: string, parameters: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
  readonly take: Allowances["take"];
  readonly peek: Allowances["peek"];
  readonly report: (report: Report) => void;
  readonly listening: (baseUrl: string) => void;
  readonly failed: (message: string) => Promise<void>;
  /** Resolves once everything posted before has been sent. */
  readonly sent: () => Promise<void>;
};

type Received = Exclude<ToWorker, { readonly kind: "reply" | "error" }>;
type Waiting = { readonly resolve: (reply: Reply) => void; readonly reject: (error: Error) => void };

/** Sends requests and receives replies over this process's IPC channel; `receive` gets the owner's other messages. */
export function openOwnerChannel(receive: (message: Received) => void): OwnerChannel {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  // If the channel breaks, the owner is gone and this process ends.
  const outbox = openOutbox<FromWorker>((messages, done) =>
    process.send?.(messages, undefined, undefined, () => done?.()),
  );
  process.on("message", (messages: readonly ToWorker[]) => {
    for (const message of messages) {
      if (message.kind !== "reply" && message.kind !== "error") {
        receive(message);
        continue;
      }
      const asker = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.kind === "reply") asker?.resolve(message.reply);
      else
        asker?.reject(message.isAway ? new RecordsError("unreachable", message.problem) : new Error(message.problem));
    }
  });
  const ask = <Answer extends Reply>(request: WorkerRequest): Promise<Answer> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve: resolve as Waiting["resolve"], reject });
      outbox.post({ kind: "request", id: last, request });
    });
  const sent = (): Promise<void> => new Promise((resolve) => outbox.flush(resolve));
  return {
    records: (text, parameters) => ask({ of: "records", text, parameters }),
    take: (claimant, units = 1, held = 0) => ask({ of: "take", claimant, units, held }),
    peek: (claimant) => ask({ of: "peek", claimant }),
    report: (report) => outbox.post({ kind: "report", report }),
    listening: (baseUrl) => outbox.post({ kind: "listening", baseUrl }),
    failed: (message) => {
      outbox.post({ kind: "failed", message });
      return sent();
    },
    sent,
  };
}

export type Outbox<Message> = {
  readonly post: (message: Message) => void;
  /** Sends queued messages; `done` is called once they are sent. */
  readonly flush: (done?: () => void) => void;
};

/** Sends the messages of one event-loop turn together: each send costs as much as many messages. */
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
