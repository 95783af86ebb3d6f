import { type ArgsDef, defineCommand } from "citty";
import { CommandError, group, printResult, requireKnownArgs } from "../cli/command.ts";
import { commandContext } from "../cli/command-context.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { textTable } from "../cli/text-table.ts";
import type { Job, Jobs, OwnerOfJobs } from "./jobs.ts";

const JSON_ARG: ArgsDef = { json: { type: "boolean", description: "Print one line of JSON" } };
const JOB_ARG: ArgsDef = { job: { type: "positional", description: "Number of the job", required: true } };

type Verb = {
  readonly name: string;
  readonly description: string;
  readonly args: ArgsDef;
  readonly run: (jobs: Jobs, args: Readonly<Record<string, unknown>>) => Promise<void> | void;
};

function verb({ name, description, args, run }: Verb): AnyCommand {
  return defineCommand({
    meta: { name, description },
    args,
    run: (context) => {
      requireKnownArgs(args, context.args);
      return run(runningJobs(), context.args);
    },
  });
}

/** Commands that continue in the process that owns the data folder. */
export const jobCommand: AnyCommand = group("job", "Commands that run in the service", {
  list: verb({
    name: "list",
    description: "Commands that run in the service, and the last that ended",
    args: JSON_ARG,
    run: (jobs, { json }) => {
      const all = jobs.list();
      const rows = all.map((job) => [String(job.id), stateOf(job), job.startedAt.toISOString(), job.command]);
      printResult(
        { value: all.map(toWire), text: textTable(["JOB", "STATE", "SINCE", "COMMAND"], rows) },
        json === true,
      );
    },
  }),
  show: verb({
    name: "show",
    description: "Show a job's output until it ends or Ctrl-C",
    args: JOB_ARG,
    run: async (jobs, { job: id }) => {
      const { err, signal } = commandContext();
      const job = await jobs.follow(readId(id), (text) => err.write(text), signal());
      if (job.exit !== undefined && job.exit !== 0)
        throw new CommandError(1, `job ${job.id} (almanac ${job.command}) ended with ${job.exit}`);
    },
  }),
  stop: verb({
    name: "stop",
    description: "Stop a job; its work stays, and the same command continues from there",
    args: { ...JOB_ARG, ...JSON_ARG },
    run: (jobs, { job: id, json }) => {
      const job = jobs.stop(readId(id));
      const text = `job ${job.id} ${job.exit === undefined ? "is stopping" : stateOf(job)}: almanac ${job.command}`;
      printResult({ value: toWire(job), text }, json === true);
    },
  }),
});

function runningJobs(): Jobs {
  const owner = commandContext().owner as OwnerOfJobs | undefined;
  if (owner === undefined) throw new CommandError(3, "no service runs on this data folder, and so no job");
  return owner.jobs;
}

function readId(text: unknown): number {
  if (/^\d{1,9}$/.test(String(text))) return Number(text);
  throw new CommandError(2, `the job is ${String(text)}: expected its number`);
}

const stateOf = ({ exit }: Job): string => (exit === undefined ? "running" : `ended with ${exit}`);

const toWire = ({ id, command, startedAt, endedAt, exit }: Job) => ({
  id,
  command,
  started_at: startedAt.toISOString(),
  ended_at: endedAt?.toISOString() ?? null,
  exit_code: exit ?? null,
});
