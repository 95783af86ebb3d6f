// Those who abuse the service, as a process of their own so that the one that measures is not disturbed. It is told what
// to do, whom to do it to, and when to end; then it says what it got.
import { getPriority, setPriority } from "node:os";
import { askExpensively } from "./expensive.ts";
import { openIdle } from "./idle-sockets.ts";
import type { AbuseName } from "./scenes.ts";
import { readSlowly } from "./slow-readers.ts";
import { flood } from "./strangers.ts";
import type { Abuse, Got, Told } from "./target.ts";

const DOING: Readonly<Record<AbuseName, Abuse>> = {
  expensive: askExpensively,
  idle: openIdle,
  strangers: flood,
  slow: readSlowly,
};
/** They would be on machines of their own: here they leave the cores to those who are measured. */
const NICE = 10;

setPriority(getPriority() + NICE);
let end = new AbortController();
let doing: Promise<(readonly [AbuseName, Got])[]> = Promise.resolve([]);

process.on("message", (told: Told) => {
  if (told === "end") {
    end.abort();
    void doing.then((got) => process.send?.(Object.fromEntries(got)));
    return;
  }
  end = new AbortController();
  doing = Promise.all(told.begin.map(async (name) => [name, await DOING[name](told.target, end.signal)] as const));
});
process.once("disconnect", () => process.exit(0));
process.stdout.write('{"is":"there"}\n');
