import { runCommandLine } from "../../src/cli/run-command-line.ts";
import { testRoot } from "./test-root.ts";

process.exitCode = await runCommandLine(testRoot, process.argv.slice(2));
