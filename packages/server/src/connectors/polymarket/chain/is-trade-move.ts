import { agents, exchanges } from "../activity/contracts.ts";
import { activityTopics } from "./activity-topics.ts";

const MOVES: ReadonlySet<unknown> = new Set([activityTopics.movedOne, activityTopics.movedMany]);
const ADDRESS_CHARS = 40;

/**
 * Whether a log is a move by which an exchange settles a trade, which the fills already contain. These are most of
 * ConditionalTokens' logs. Moves from and to an agent are kept: they name the wallet that the agent acted for.
 */
export function isTradeMove({ topics }: { readonly topics?: unknown }): boolean {
  if (!Array.isArray(topics) || topics.length !== 4) return false;
  const [event, operator, from, to] = topics as unknown[];
  return (
    MOVES.has(event) && exchanges.has(addressOf(operator)) && !agents.has(addressOf(from)) && !agents.has(addressOf(to))
  );
}

const addressOf = (topic: unknown): string =>
  typeof topic === "string" ? `0x${topic.slice(-ADDRESS_CHARS).toLowerCase()}` : "";
