import { createKey } from "../access/make-keys.ts";
import { deskCommand } from "./desk-command.ts";
import { readDuration } from "./read-duration.ts";
import { readMoment } from "./read-moment.ts";
import { CommandError } from "./command-error.ts";

export const keyCreate = deskCommand({
  name: "create",
  description: "Make an API key; it is shown once",
  args: {
    account: { type: "string", required: true, description: "Account id or e-mail address" },
    name: { type: "string", description: "What the key is for" },
    expires: { type: "string", description: "A moment (2027-01-31, ISO-8601) or a time from now (90d, 12h)" },
    datasets: { type: "string", description: "Only these agent ids, separated by commas" },
  },
  run: async (desk, { account, name, expires, datasets }) => {
    const { key, summary } = await createKey(desk, {
      account,
      ...(name === undefined ? {} : { name }),
      ...(expires === undefined ? {} : { expires: expiryFrom(expires, desk.clock()) }),
      ...(datasets === undefined ? {} : { datasets: readAgentIds(datasets) }),
    });
    return {
      value: { key, ...summary },
      text: `${key}\nThis is the only time the key is shown. It is known as ${summary.id} (${summary.prefix}…).`,
    };
  },
});

function expiryFrom(text: string, now: number): Date {
  const duration = readDuration(text);
  return duration === undefined ? readMoment("expires", text) : new Date(now + duration);
}

/** Agent ids separated by commas. */
function readAgentIds(text: string): number[] {
  return text.split(",").map((part) => {
    if (!/^\s*\d{1,9}\s*$/.test(part)) {
      throw new CommandError(2, `--datasets has "${part}": expected agent ids separated by commas, e.g. 556,574`);
    }
    return Number(part);
  });
}
