import { createBrowserRouter, type RouteObject } from "react-router";
import { Guard } from "./guard.tsx";
import { NotFound } from "./not-found.tsx";
import { PageError } from "./page-error.tsx";
import type { PageRoute } from "./page-route.ts";
import { RoleGate } from "./role-gate.tsx";
import { ROUTES } from "./routes.ts";

function toRouteObject(route: PageRoute): RouteObject {
  return {
    path: route.path,
    ErrorBoundary: PageError,
    lazy: async () => {
      const { default: Page } = await route.load();
      if (route.roles === "anyone") return { Component: Page };
      return {
        Component: () => (
          <RoleGate route={route}>
            <Page />
          </RoleGate>
        ),
      };
    },
  };
}

export function createRouter(): ReturnType<typeof createBrowserRouter> {
  const open = ROUTES.filter((route) => route.roles === "anyone");
  const guarded = ROUTES.filter((route) => route.roles !== "anyone");
  return createBrowserRouter([
    {
      HydrateFallback: () => null,
      ErrorBoundary: PageError,
      children: [
        ...open.map((route) => toRouteObject(route)),
        {
          Component: Guard,
          children: [...guarded.map((route) => toRouteObject(route)), { path: "*", Component: NotFound }],
        },
      ],
    },
  ]);
}
