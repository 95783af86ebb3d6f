import type { ComponentType } from "react";
import type { Role } from "../api/session-user.ts";
import type { IconName } from "../ui/icon.tsx";

export type NavGroup = "data" | "account" | "operator";

export interface PageRoute {
  /** As react-router writes it, absolute. */
  readonly path: string;
  readonly title: string;
  readonly load: () => Promise<{ default: ComponentType }>;
  /** Who sees it; "anyone": without signing in. */
  readonly roles: readonly Role[] | "anyone";
  /** Where the navigation shows it; absent: it is reached from other pages. `isMain`: in the phone's bottom bar. */
  readonly nav?: {
    readonly group: NavGroup;
    readonly icon: IconName;
    readonly label?: string;
    readonly isMain?: boolean;
  };
}
