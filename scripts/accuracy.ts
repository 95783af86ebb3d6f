// Accuracy: what the service works out, held against what is true in worlds of the paper exchanges. Not run in CI.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { accuracyOfDynamics } from "./accuracy/dynamics.ts";
import { accuracyOfJumps } from "./accuracy/jumps.ts";
import { accuracyOfPnl } from "./accuracy/pnl.ts";
import { accuracyOfPatterns } from "./accuracy/patterns.ts";
import { accuracyOfPosts } from "./accuracy/posts.ts";
import { accuracyOfSkill } from "./accuracy/skill.ts";
import { accuracyOfTalk } from "./accuracy/talk.ts";
import type { Accuracy, WorldSize } from "./accuracy/accuracy.ts";

const HELP = `npm run accuracy -- <name> [options]
  skill      Spearman of the wallet score with the wallets' true skill, beside profit, win rate and ROI
  jumps      precision and recall of jumps of prices, beside a z-score and the candle method at as many alarms
  dynamics   whether prices of the paper worlds trend or fall back, beside recorded ones
  pnl        every wallet's cash, realised profit and residual; the service gathers these worlds itself (a day, 60 events)
  patterns   precision and recall of wash rings, sybil rings, farmers and makers, by wallet and by ring, beside naive rules
  talk       precision and recall of matching posts to markets on what people of the paper worlds say
  posts      precision and recall of matching posts to markets, on recorded posts labelled by hand (no worlds)
Options
  --seeds A,B,C  seeds of the worlds (1,2,3)
  --fills N      fills of a world (700000)
  --days N       days that they spread over (45; jumps, dynamics, talk: 2)
  --events N     standing events (jumps, dynamics, talk; 60)
  --activity X   how often everybody trades, times the usual (jumps, dynamics; 12)
  --wallets N    wallets (3000)
  --keep DIR     keeps each world and its store there, and uses what is there already (jumps: the world only)
  --missed       jumps: also lists each missed jump and each false alarm, with the reason
  --json FILE    the figures as JSON`;

const NAMES: Readonly<Record<string, Accuracy>> = {
  skill: accuracyOfSkill,
  dynamics: accuracyOfDynamics,
  jumps: accuracyOfJumps,
  pnl: accuracyOfPnl,
  patterns: accuracyOfPatterns,
  talk: accuracyOfTalk,
  posts: accuracyOfPosts,
};

/** Worlds that are made in this process are short. */
const SHORT_WORLDS: ReadonlySet<string> = new Set(["jumps", "dynamics", "talk"]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "1,2,3" },
    fills: { type: "string", default: "700000" },
    days: { type: "string" },
    events: { type: "string", default: "60" },
    activity: { type: "string", default: "12" },
    wallets: { type: "string", default: "3000" },
    keep: { type: "string" },
    missed: { type: "boolean", default: false },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

/** Throws RangeError that names the flag and the value. */
function toNumber(flag: string, text: string): number {
  const value = Number(text);
  if (text === "" || !(value > 0)) throw new RangeError(`--${flag} is "${text}": expected a number above 0`);
  return value;
}

const [name = ""] = positionals;
const accuracy = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
if (values.help || accuracy === undefined) {
  if (!values.help && name !== "") process.stderr.write(`there is no accuracy "${name}"\n`);
  process.stdout.write(`${HELP}\n`);
  process.exitCode = values.help || name === "" ? 0 : 2;
} else {
  const worlds: WorldSize[] = values.seeds.split(",").map((seed) => ({
    seed: toNumber("seeds", seed),
    fills: toNumber("fills", values.fills),
    days: toNumber("days", values.days ?? (SHORT_WORLDS.has(name) ? "2" : "45")),
    events: toNumber("events", values.events),
    activity: toNumber("activity", values.activity),
    wallets: toNumber("wallets", values.wallets),
    keep: values.keep,
    missed: values.missed,
  }));
  const { text, value } = await accuracy(worlds);
  process.stdout.write(`${text}\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(value, null, 2)}\n`);
}
