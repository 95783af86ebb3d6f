// Runs the whole service on the paper exchanges and compares client responses with the ground truth, row by row.
import type { Source } from "./verify/fills.ts";
import { pollWorld } from "./verify/poll/poll-world.ts";
import { printPolled, printVerdict } from "./verify/print-verdict.ts";
import type { Polled } from "./verify/poll/trade-poll.ts";
import { SOCIAL_STREAMS } from "./verify/social-streams.ts";
import { verifyWorld } from "./verify/verify-world.ts";
import { readNumber, readOptions } from "./read-options.ts";

const HELP = `npm run verify -- [options]
  --source S   source of Polymarket's fills: chain (default), or data, with the chain turned on afterwards
  --days N     days of history the world starts with (3; 0.05 with --poll)
  --seed N     seed of the simulated world (7)
  --live N     seconds the world runs while it is queried (20)
  --books N    random past times at which each venue's order books are compared (300)
  --poll N     instead: polls the newest 400 trades each second for N seconds, with fills from the chain and from the
               Data API alone (or from --source), and reports trades seen under two ids, changed or vanished, and ages
  --everything also gathers Kalshi's candles and posts, which are not compared and take long at three calls a second
  --json       the verdict as JSON on standard output
  --help       this text
Exits with 1 if a row is lost, duplicated or wrong.`;

const { values } = readOptions("verify", {
  options: {
    source: { type: "string" },
    days: { type: "string" },
    seed: { type: "string", default: "7" },
    live: { type: "string", default: "20" },
    books: { type: "string", default: "300" },
    poll: { type: "string" },
    everything: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const SETTLE_MS = 600_000;

const DAYS = { verify: "3", poll: "0.05" };
/** A world with some trades per second. */
const POLLED_WORLD = { activity: 6 };
const say = (text: string): void =>
  void process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${text}\n`);

const number = (option: string, text: string): number => readNumber("verify", option, text);

async function verify(source: Source): Promise<void> {
  const verdict = await verifyWorld({
    source,
    days: number("days", values.days ?? DAYS.verify),
    seed: number("seed", values.seed),
    liveSeconds: number("live", values.live),
    books: number("books", values.books),
    settleMs: SETTLE_MS,
    streamsOff: values.everything ? [] : ["kalshi-candles", ...SOCIAL_STREAMS],
    say,
  });
  process.stdout.write(`${values.json ? JSON.stringify(verdict) : printVerdict(verdict)}\n`);
  process.exitCode = verdict.isAgreed ? 0 : 1;
}

async function poll(sources: readonly Source[], seconds: number): Promise<void> {
  const polled: Polled[] = [];
  for (const source of sources) {
    const days = number("days", values.days ?? DAYS.poll);
    polled.push(
      await pollWorld({
        source,
        days,
        seconds,
        seed: number("seed", values.seed),
        world: POLLED_WORLD,
        settleMs: SETTLE_MS,
        say,
      }),
    );
  }
  process.stdout.write(`${values.json ? JSON.stringify(polled) : printPolled(polled)}\n`);
  process.exitCode = polled.every(({ isGood }) => isGood) ? 0 : 1;
}

if (values.help) {
  process.stdout.write(`${HELP}\n`);
} else if (values.source !== undefined && values.source !== "chain" && values.source !== "data") {
  process.stderr.write(`verify: --source is ${values.source}: expected chain or data\n`);
  process.exitCode = 2;
} else {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  if (values.poll === undefined) await verify(values.source ?? "chain");
  else await poll(values.source === undefined ? ["chain", "data"] : [values.source], number("poll", values.poll));
}
