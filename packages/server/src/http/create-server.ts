import type { FastifyInstance } from "fastify";
import { addConsoleRoutes } from "./console/add-console-routes.ts";
import { createDoor } from "./create-door.ts";
import { addHealthRoutes } from "./health-routes.ts";
import { createPages } from "./pages/create-pages.ts";
import { addPlainRoutes } from "./plain-routes.ts";
import type { ServerOptions } from "./server-options.ts";

/**
 * The HTTP door, not yet listening. Further routes may be registered on it before `listen`; `close()` refuses what
 * is new, finishes what is in flight within `stopTimeoutMs` and closes every connection.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const pages = createPages(options.pages);
  const { app, asking, isStopping } = createDoor({ ...options, pageInstead: pages.instead });
  const { catalogue, console, operator, publicUrl } = options;
  if (console !== undefined) addConsoleRoutes(app, { ...asking, console, publicUrl, catalogue, operator });
  addHealthRoutes(app, options, isStopping);
  addPlainRoutes(app, options);
  pages.addRoutes(app);
  return app;
}
