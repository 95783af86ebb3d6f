import { runCommandLine } from "./cli/run-command-line.ts";
import { askOwner } from "./control/ask-owner.ts";
import { root } from "./main/command-tree.ts";

const argv = process.argv.slice(2);
process.exitCode = (await askOwner(argv)) ?? (await runCommandLine(root, argv));
