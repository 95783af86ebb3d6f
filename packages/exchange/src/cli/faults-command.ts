import { defineCommand } from "citty";
import { examplePlan, faultKinds } from "../faults/fault-plan.ts";
import { failPlainly, readFaultPlan, requireKnown } from "./command-line.ts";

const FLAGS = {
  control: { type: "string", description: "Address of the control endpoint of a running exchange", valueHint: "URL" },
  set: { type: "string", description: "Put the plan in this file in force, in place of what was", valueHint: "FILE" },
  add: { type: "string", description: "Put the plan in this file in force, beside what is", valueHint: "FILE" },
  clear: { type: "boolean", default: false, description: "End every fault" },
} as const;

/** `exchange faults`: lists the available fault kinds, and shows, sets or clears the faults of a running exchange. */
export const faultsCommand = defineCommand({
  meta: {
    name: "faults",
    description: "List the faults and an example plan; with --control read, set or clear those of a running exchange",
  },
  args: FLAGS,
  run: ({ args, rawArgs }) =>
    failPlainly(async () => {
      requireKnown(rawArgs, FLAGS);
      const requested = [args.set, args.add, args.clear || undefined].filter((each) => each !== undefined);
      if (requested.length > 1) throw new Error("--set, --add and --clear exclude each other");
      if (args.control === undefined) {
        if (requested.length > 0) throw new Error("--set, --add and --clear need --control URL");
        process.stdout.write(listing());
        return;
      }
      const url = `${args.control.replace(/\/$/, "")}/faults`;
      process.stdout.write(`${JSON.stringify(await ask(url, args), undefined, 2)}\n`);
    }),
});

async function ask(
  url: string,
  { set, add, clear }: { set?: string | undefined; add?: string | undefined; clear: boolean },
): Promise<unknown> {
  const file = set ?? add;
  const reply =
    file === undefined ? await fetch(url, { method: clear ? "DELETE" : "GET" }) : await post(url, file, add);
  const body = (await reply.json()) as { error?: string };
  if (!reply.ok) throw new Error(body.error ?? `the control endpoint answered ${reply.status}`);
  return body;
}

function post(url: string, file: string, add: string | undefined): Promise<Response> {
  return fetch(add === undefined ? url : `${url}?add=true`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(readFaultPlan(file)),
  });
}

function listing(): string {
  const lines = Object.entries(faultKinds).map(
    ([kind, { endpoints, about }]) =>
      `${kind.padEnd(17)} ${about}\n${" ".repeat(18)}endpoints: ${endpoints.join(", ")}`,
  );
  return `${lines.join("\n")}

Every fault also takes endpoint, path, after_seconds, for_seconds, share and count; docs/faults.md tells of each.
An example plan, for exchange serve --faults FILE, npm run demo -- --faults FILE, or POST /faults:

${JSON.stringify(examplePlan, undefined, 2)}
`;
}
