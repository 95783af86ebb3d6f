import type { ComponentType } from "react";
import type { Role } from "../api/session-user.ts";
import type { IconName } from "../ui/icon.tsx";

export type NavGroup = "data" | "account" | "operator";

export interface PageRoute {
  /** Absolute path in react-router syntax. */
  readonly path: string;
  readonly title: string;
  readonly load: () => Promise<{ default: ComponentType }>;
  /** Roles that may see it; "anyone": without signing in. */
  readonly roles: readonly Role[] | "anyone";
  /** Place in the navigation; absent: reached from other pages only. `isMain`: in the phone's bottom bar. */
  readonly nav?: {
    readonly group: NavGroup;
    readonly icon: IconName;
    readonly label?: string;
    readonly isMain?: boolean;
  };
}
