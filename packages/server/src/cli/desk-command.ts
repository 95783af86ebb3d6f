import type { ArgsDef, ParsedArgs } from "citty";
import type { Desk } from "../access/desk.ts";
import { readConfig } from "../config.ts";
import { openRecords, type Records } from "../records/records.ts";
import { command } from "./command.ts";
import { ground } from "./ground.ts";
import type { Result } from "./print-result.ts";
import type { AnyCommand } from "./run-command-line.ts";

type DeskCommand<T extends ArgsDef> = {
  readonly name: string;
  readonly description: string;
  readonly args: T;
  readonly run: (desk: Desk, args: ParsedArgs<T>) => Promise<Result>;
};

/** A command over the control records, whether the service runs or not. */
export function deskCommand<const T extends ArgsDef>({ name, description, args, run }: DeskCommand<T>): AnyCommand {
  return command({
    name,
    description,
    args,
    run: async (given, print) => {
      const { owner, actor } = ground();
      const records = owner?.records ?? (await openOwn());
      try {
        print(await run({ db: records.db, clock: Date.now, actor }, given as ParsedArgs<T>));
      } finally {
        if (owner === undefined) await records.close();
      }
    },
  });
}

function openOwn(): Promise<Records> {
  const { databaseUrl, dataDir } = readConfig();
  return openRecords(databaseUrl === undefined ? { dataDir } : { url: databaseUrl });
}
