// Starts the service on the real venues, and builds the dashboard if it is missing or older than its sources.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDashboard } from "./dashboard/ensure-dashboard.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const say = (text: string): void => void process.stderr.write(`${text}\n`);

try {
  ensureDashboard(root, { say });
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\nthe service starts without it`);
}
process.argv.splice(2, 0, "serve");
await import("../packages/server/src/main.ts");
