import { runAlmanac } from "./test-root.ts";

process.exitCode = await runAlmanac(process.argv.slice(2));
