import type { ArgsDef, ParsedArgs } from "citty";
import type { AdminContext } from "../access/change.ts";
import { readConfig } from "../config.ts";
import { requireNoUpgrade } from "../records/migrate.ts";
import { openRecords, type Records } from "../records/records.ts";
import { command, CommandError, type Result } from "./command.ts";
import { commandContext } from "./command-context.ts";
import type { AnyCommand } from "./run-command-line.ts";
import { textTable } from "./text-table.ts";

type Requested = { readonly account?: string; readonly after?: string };
type Page = { readonly has_more: boolean };

type List<P extends Page, Line> = {
  /** The kind of thing listed, e.g. "key". */
  readonly of: string;
  /** End of the command's description. */
  readonly more?: string;
  /** Whether the list can be limited to one account. */
  readonly isByAccount?: boolean;
  readonly read: (admin: AdminContext, requested: Requested) => Promise<P>;
  readonly linesOf: (page: P) => readonly Line[];
  /** Headings, each with its field. */
  readonly columns: Readonly<Record<string, keyof Line>>;
};

const ACCOUNT = { account: { type: "string", description: "Only for this account (id or e-mail address)" } } as const;

const ID = /^[a-z]{3}_\w+$/;

/** A command that prints one page as a table; if more rows follow, its last line says how to continue. */
export function listCommand<P extends Page, Line extends { readonly id: string }>(list: List<P, Line>): AnyCommand {
  const { of, more = "", isByAccount = false, read, linesOf, columns } = list;
  return adminCommand({
    name: "list",
    description: `List ${of}s, oldest first, 1,000 at a time${more}`,
    args: {
      ...(isByAccount ? ACCOUNT : {}),
      after: { type: "string", description: `Continue after this ${of} id` },
    },
    run: async (admin, requested) => {
      const { after } = requested as Requested;
      if (after !== undefined && !ID.test(after))
        throw new CommandError(
          2,
          `--after is "${after}": expected the id of ${of.startsWith("a") ? "an" : "a"} ${of}, as in the list's first column`,
        );
      const page = await read(admin, requested as Requested);
      const lines = linesOf(page);
      const cells = lines.map((line) => Object.values(columns).map((field) => line[field]));
      const last = lines.at(-1);
      const rest = page.has_more && last !== undefined ? `\nThere are more: continue with --after ${last.id}` : "";
      return { value: page, text: `${textTable(Object.keys(columns), cells)}${rest}` };
    },
  });
}

type AdminCommand<T extends ArgsDef> = {
  readonly name: string;
  readonly description: string;
  readonly args: T;
  readonly run: (admin: AdminContext, args: ParsedArgs<T>) => Promise<Result>;
};

/** A command on the control records, whether or not the service runs. */
export function adminCommand<const T extends ArgsDef>({ name, description, args, run }: AdminCommand<T>): AnyCommand {
  return command({
    name,
    description,
    args,
    run: async (given, print) => {
      const { owner, actor } = commandContext();
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
  return openRecords(databaseUrl === undefined ? { dataDir } : { url: databaseUrl }, requireNoUpgrade);
}
