import { defineCommand } from "citty";
import type { ArgsDef, ParsedArgs } from "citty";
import type { Desk } from "../access/desk.ts";
import { readConfig } from "../config.ts";
import { openRecords, type Records } from "../records/records.ts";
import { ground } from "./ground.ts";
import { printResult } from "./print-result.ts";
import type { Result } from "./print-result.ts";
import type { AnyCommand } from "./run-command-line.ts";
import { requireKnownArgs } from "./strict-args.ts";

type DeskCommand<T extends ArgsDef> = {
  readonly name: string;
  readonly description: string;
  readonly args: T;
  readonly run: (desk: Desk, args: ParsedArgs<T>) => Promise<Result>;
};

const JSON_ARG = { json: { type: "boolean", description: "Print one line of JSON" } } as const;

/** A command over the control records, whether the service runs or not. */
export function deskCommand<const T extends ArgsDef>({ name, description, args, run }: DeskCommand<T>): AnyCommand {
  const all: ArgsDef = { ...args, ...JSON_ARG };
  return defineCommand({
    meta: { name, description },
    args: all,
    run: async (context) => {
      requireKnownArgs(all, context.args);
      const { owner, actor } = ground();
      const records = owner?.records ?? (await openOwn());
      try {
        const desk = { db: records.db, clock: Date.now, actor };
        printResult(await run(desk, context.args as ParsedArgs<T>), context.args["json"] === true);
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
