// Abusive clients, run in their own process so that they do not disturb the one that measures. The parent sends what
// to do, the target, and when to end; the process then reports what it received.
import { getPriority, setPriority } from "node:os";
import { askExpensively, openIdle, readSlowly, flood } from "./abusive-clients.ts";
import type { AbuseName, Abuse, Got, Reported } from "./scenes.ts";

const DOING: Readonly<Record<AbuseName, Abuse>> = {
  expensive: askExpensively,
  idle: openIdle,
  strangers: flood,
  slow: readSlowly,
};
/** In reality they would run on other machines: here they yield the cores to the processes being measured. */
const NICE = 10;

setPriority(getPriority() + NICE);
let end = new AbortController();
let doing: Promise<(readonly [AbuseName, Got])[]> = Promise.resolve([]);

process.on("message", (reported: Reported) => {
  if (reported === "end") {
    end.abort();
    void doing.then((got) => process.send?.(Object.fromEntries(got)));
    return;
  }
  end = new AbortController();
  doing = Promise.all(
    reported.begin.map(async (name) => [name, await DOING[name](reported.target, end.signal)] as const),
  );
});
process.once("disconnect", () => process.exit(0));
process.stdout.write('{"is":"there"}\n');
