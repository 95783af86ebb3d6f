import { systemClock } from "../../../src/ingest/clock.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { gatherBluesky } from "./gather-bluesky.ts";

/** Collects Bluesky until killed, and reports once it stored something: `node bluesky-child.ts FOLDER URL VENUE_MS`. */
const [, , folder, url = "", venueMs] = process.argv;
const engines = await openEngines(folder);
const ingest = gatherBluesky(engines, url, { clock: systemClock, venueNow: () => Number(venueMs) });
while ((await ingest.status()).streams[0]?.cursor === null) await systemClock.sleep(50);
process.stdout.write("stored\n");
