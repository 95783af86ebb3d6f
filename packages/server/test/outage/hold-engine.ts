// Opens the engine of a folder, prints that it is open, and runs until it is killed.
import { openStore } from "../../src/store/open-store.ts";

await openStore({ folder: process.argv[2] ?? "" });
process.stdout.write("open\n");
setInterval(() => undefined, 1000);
