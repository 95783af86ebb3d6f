// Accuracy: compares what the service computes with the ground truth of paper-exchange worlds. Not run in CI.
import { writeFileSync } from "node:fs";
import { accuracyOfJumps } from "./accuracy/jumps.ts";
import { accuracyOfPnl } from "./accuracy/pnl.ts";
import { accuracyOfSkill } from "./accuracy/skill.ts";
import type { Accuracy, WorldSize } from "./accuracy/world-store.ts";
import { readNumber, readOptions } from "./read-options.ts";

const HELP = `npm run accuracy -- <name> [options]
  skill      Spearman correlation of the wallet score and its parts with the wallets' true skill
  jumps      precision and recall of price jumps
  pnl        every wallet's cash, realised profit and residual, of worlds that the service gathers itself (a day, 60 events)
Options
  --seeds A,B,C  seeds of the worlds (1,2,3)
  --fills N      skill: fills of a world (700000)
  --days N       skill, jumps: days of the world (45; jumps: 2)
  --wallets N    skill: wallets (3000)
  --keep DIR     skill: folder in which worlds and their stores are kept and reused
  --events N     jumps: open events (60)
  --activity X   jumps: trading frequency, as a multiple of the default (12)
  --json FILE    the figures as JSON`;

const NAMES: Readonly<Record<string, Accuracy>> = {
  skill: accuracyOfSkill,
  jumps: accuracyOfJumps,
  pnl: accuracyOfPnl,
};

const { values, positionals } = readOptions("accuracy", {
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "1,2,3" },
    fills: { type: "string", default: "700000" },
    days: { type: "string" },
    events: { type: "string", default: "60" },
    activity: { type: "string", default: "12" },
    wallets: { type: "string", default: "3000" },
    keep: { type: "string" },
    json: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const toNumber = (option: string, text: string): number => readNumber("accuracy", option, text, { least: 0.001 });

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
    days: toNumber("days", values.days ?? (name === "jumps" ? "2" : "45")),
    events: toNumber("events", values.events),
    activity: toNumber("activity", values.activity),
    wallets: toNumber("wallets", values.wallets),
    keep: values.keep,
  }));
  const { text, value } = await accuracy(worlds);
  process.stdout.write(`${text}\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(value, null, 2)}\n`);
}
