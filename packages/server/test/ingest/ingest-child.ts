import { Registry } from "prom-client";
import { systemClock } from "../../src/ingest/clock.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import { numberedFills } from "./fill-connector.ts";
import { minuteCounts } from "./fill-rows.ts";
import { openEngines } from "./open-engines.ts";

/** A process that gathers numbered fills until it is killed: `node ingest-child.ts FOLDER URL`. */
const [, , folder, url] = process.argv;
const engines = await openEngines(folder);
startIngest({
  ...engines,
  connectors: [numberedFills],
  derivations: [minuteCounts],
  // The fold checks for stored rows without a delay.
  folds: [{ ...walletFold, gatherSeconds: 0 }],
  settings: { VENUE_URL: url },
  metrics: new Registry(),
  clock: systemClock,
  signal: new AbortController().signal,
});
process.stdout.write("started\n");
