import type { Desk } from "./desk.ts";
import { sessionDigest } from "./session-token.ts";

/** Ends a user's sessions; the one with the secret `but` goes on. */
export async function endSessions(desk: Desk, userId: string, but?: string): Promise<void> {
  let ended = desk.db.deleteFrom("sessions").where("user_id", "=", userId);
  if (but !== undefined) ended = ended.where("digest", "!=", sessionDigest(but));
  await ended.execute();
}
