// Builds the dashboard if it is missing or older than its sources; --force always builds it, --dev serves it live.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDashboard } from "./dashboard/ensure-dashboard.ts";
import { readOptions } from "./read-options.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const HELP = `npm run dashboard -- [options]
  --force   build also when nothing changed
  --dev     serve the sources with hot reload, over the service at ALMANAC_CONSOLE_URL (http://127.0.0.1:8080)
  --help    this text
`;

const { values } = readOptions("dashboard", {
  options: {
    force: { type: "boolean", default: false },
    dev: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const say = (text: string): void => void process.stderr.write(`${text}\n`);

function serveSources(): number {
  const vite = join(root, "node_modules/.bin/vite");
  return spawnSync(vite, { cwd: join(root, "packages/dashboard"), stdio: "inherit" }).status ?? 1;
}

function build(): number {
  try {
    if (!ensureDashboard(root, { say, isForced: values.force })) say("the dashboard is as its sources are");
    return 0;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

if (values.help) process.stdout.write(HELP);
else process.exitCode = values.dev ? serveSources() : build();
