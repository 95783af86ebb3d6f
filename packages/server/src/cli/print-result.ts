import { ground } from "./ground.ts";

/** What a command has to say: `value` for --json (one line), `text` for people. */
export type Result = { readonly value: unknown; readonly text: string };

export function printResult(result: Result, asJson: boolean): void {
  ground().out.write(`${asJson ? JSON.stringify(result.value) : result.text}\n`);
}
