import { createContext, useContext } from "react";
import type { SessionUser } from "../api/session-user.ts";

export const SessionContext = createContext<SessionUser | undefined>(undefined);

/** The signed-in user; only for pages inside the guard. */
export function useSession(): SessionUser {
  const user = useContext(SessionContext);
  if (user === undefined) throw new Error("useSession is used on a page that anyone may see");
  return user;
}
