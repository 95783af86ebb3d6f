import type { Role } from "../api/session-user.ts";
import type { PageRoute } from "./page-route.ts";

export function maySee(route: Pick<PageRoute, "roles">, role: Role): boolean {
  return route.roles === "anyone" || route.roles.includes(role);
}
