import { group } from "../cli/group.ts";
import type { AnyCommand } from "../cli/run-command-line.ts";
import { forgetCommand } from "./social/forget-command.ts";

/** What an operator does with posts. */
export const socialCommand: AnyCommand = group("social", "Posts of social sources", { forget: forgetCommand });
