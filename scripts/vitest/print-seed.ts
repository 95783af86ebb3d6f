import { testSeed } from "./seed.ts";

/** Prints the seed before the first test, so that an interrupted run can be repeated too. */
export default function printSeed(): void {
  const order = process.env["TEST_ORDER"] === "shuffle" ? " TEST_ORDER=shuffle" : "";
  process.stdout.write(`to repeat this run: TEST_SEED=${testSeed()}${order}\n`);
}
