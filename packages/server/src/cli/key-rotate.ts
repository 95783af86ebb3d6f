import { rotateKey } from "../access/rotate-key.ts";
import { CommandError } from "./command-error.ts";
import { deskCommand } from "./desk-command.ts";
import { readDuration } from "./read-duration.ts";

export const keyRotate = deskCommand({
  name: "rotate",
  description: "Give a key a successor, shown once; the old one works on for a while",
  args: {
    key: { type: "positional", required: true, description: "Key id, public prefix, or the key itself" },
    overlap: { type: "string", default: "24h", description: "How long the old key works on, e.g. 30m, 24h, 7d" },
  },
  run: async (desk, { key, overlap }) => {
    const overlapMs = readDuration(overlap);
    if (overlapMs === undefined) throw new CommandError(2, `--overlap is "${overlap}": expected e.g. 30m, 24h or 7d`);
    const rotated = await rotateKey(desk, key, overlapMs);
    const ends = rotated.replaced.expires_at?.toISOString() ?? "now";
    return {
      value: { key: rotated.key, ...rotated.summary, replaces: rotated.replaced },
      text: `${rotated.key}\nThis is the only time the key is shown. The old one (${rotated.replaced.prefix}…) works until ${ends}.`,
    };
  },
});
