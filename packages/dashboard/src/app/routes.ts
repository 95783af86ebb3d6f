import type { Role } from "../api/session.ts";
import type { PageRoute } from "./page-route.ts";

const ALL: readonly Role[] = ["member", "owner", "operator"];

/** Every page. Add yours with one entry; it is loaded when it is opened. */
export const ROUTES: readonly PageRoute[] = [
  {
    path: "/sign-in",
    title: "Sign in",
    load: () => import("../pages/sign-in/page.tsx"),
    roles: "anyone",
  },
  {
    path: "/",
    title: "Overview",
    load: () => import("../pages/overview/page.tsx"),
    roles: ALL,
    nav: { group: "data", icon: "sun", isMain: true },
  },
];
