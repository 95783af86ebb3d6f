// One life of the recorded run, made to be ended by kill -9: `node killed-life.ts ORDERS`, a JSON line a stream.
import { openHouse } from "./open-house.ts";
import { runRecorded } from "./run-recorded.ts";
import type { LifeOrders, LifeSaid } from "./run-killed.ts";

const { dir, folder, part } = JSON.parse(process.argv[2] ?? "") as LifeOrders;
const say = (said: LifeSaid): void => void process.stdout.write(`${JSON.stringify(said)}\n`);

process.on("disconnect", () => process.exit(1));
const house = await openHouse(dir, "silent", true, folder);
say({ opened: true });
for await (const count of runRecorded(house, part)) say({ count });
say({ harm: house.harm() });
await house.close();
// The channel would keep it.
process.exit(0);
