// Makes a backup every day at a moment (UTC), for ever: back-up-daily.mjs HH:MM PLACE [--keep N] [--rate N]
// What follows the moment goes to `almanac backup create` as it is. A backup that failed is begun again after an hour.
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const HOUR_MS = 3_600_000;
const say = (line) => process.stderr.write(`${line}\n`);
const [moment = "", ...wishes] = process.argv.slice(2);
if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(moment) || !wishes[0]) {
  say(`expected HH:MM (UTC) and a place for backups, not ${JSON.stringify([moment, ...wishes])}`);
  process.exit(2);
}

const stop = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => stop.abort());

let isAgain = false;
while (!stop.signal.aborted) {
  const due = isAgain ? Math.min(Date.now() + HOUR_MS, nextMs(Date.now())) : nextMs(Date.now());
  say(`the next backup begins at ${new Date(due).toISOString()}`);
  await sleep(due - Date.now(), undefined, stop).catch(() => undefined);
  if (stop.signal.aborted) break;
  const ended = await backUp();
  isAgain = ended !== 0;
  if (isAgain && !stop.signal.aborted) say(`almanac backup create ended with ${ended}`);
}

/** The next time that it is `moment`; never now. */
function nextMs(nowMs) {
  const today = Date.parse(`${new Date(nowMs).toISOString().slice(0, 10)}T${moment}:00Z`);
  return today > nowMs ? today : today + 24 * HOUR_MS;
}

/** The exit code, or what ended it. */
function backUp() {
  return new Promise((resolve) => {
    const child = spawn("almanac", ["backup", "create", ...wishes, "--json"], { stdio: "inherit" });
    const end = () => child.kill("SIGTERM");
    stop.signal.addEventListener("abort", end);
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      stop.signal.removeEventListener("abort", end);
      resolve(code ?? signal);
    });
  });
}
