import type { Allowance, Claimant } from "../../access/allowances.ts";
import { openOutbox } from "./outbox.ts";
import type { Asked, FromWorker, Report, Told, ToWorker } from "./protocol.ts";

/** A worker's way to the process that started it. */
export type OwnerLine = {
  readonly records: (text: string, parameters: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
  readonly take: (claimant: Claimant) => Promise<Allowance>;
  readonly peek: (claimant: Claimant) => Promise<Allowance>;
  readonly report: (report: Report) => void;
  readonly listening: (baseUrl: string) => void;
  /** Resolves once everything posted before is on its way. */
  readonly failed: (message: string) => Promise<void>;
  readonly sent: () => Promise<void>;
};

type Heard = Exclude<ToWorker, { readonly kind: "told" | "refused" }>;
type Waiting = { readonly resolve: (told: Told) => void; readonly reject: (error: Error) => void };

/** The line over this process's IPC channel; `hear` gets what the owner says by itself. */
export function openOwnerLine(hear: (message: Heard) => void): OwnerLine {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  // Where the channel breaks the owner is gone, and this process ends: nobody has to hear of it.
  const outbox = openOutbox<FromWorker>((messages, done) =>
    process.send?.(messages, undefined, undefined, () => done?.()),
  );
  process.on("message", (messages: readonly ToWorker[]) => {
    for (const message of messages) {
      if (message.kind !== "told" && message.kind !== "refused") {
        hear(message);
        continue;
      }
      const asker = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.kind === "told") asker?.resolve(message.told);
      else asker?.reject(new Error(message.problem));
    }
  });
  const ask = <Answer extends Told>(asked: Asked): Promise<Answer> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve: resolve as Waiting["resolve"], reject });
      outbox.post({ kind: "asked", id: last, asked });
    });
  const sent = (): Promise<void> => new Promise((resolve) => outbox.flush(resolve));
  return {
    records: (text, parameters) => ask({ of: "records", text, parameters }),
    take: (claimant) => ask({ of: "take", claimant }),
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
