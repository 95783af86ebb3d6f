// One run of the campaign: `node runner.ts SEED TEMPLATE FOLDER`; writes its result to FOLDER/result.json.
import { drawRun } from "./draw-run.ts";
import { executeRun } from "./execute-run.ts";

const [, , seed, template, folder] = process.argv;
if (seed === undefined || template === undefined || folder === undefined) throw new Error("SEED TEMPLATE FOLDER");
await executeRun(drawRun(Number(seed)), { template, folder });
process.exit(0);
