import cookie from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import { answerError } from "../answer-error.ts";
import { addAccountRoutes } from "./account-routes.ts";
import { addAskRoute } from "./ask-route.ts";
import { addAuditRoute } from "./audit-route.ts";
import { createConsoleDoor } from "./console-door.ts";
import type { ConsoleOptions } from "./console-options.ts";
import { addDatasetsRoute } from "./datasets-route.ts";
import { addKeyRoutes } from "./key-routes.ts";
import { addOperatorRoutes } from "./operator-routes.ts";
import { addPlanRoutes } from "./plan-routes.ts";
import { addSessionRoutes } from "./session-routes.ts";
import { toConsoleError } from "./to-console-error.ts";
import { addUsageRoutes } from "./usage-routes.ts";
import { addUserRoutes } from "./user-routes.ts";

/** The dashboard's side of the door: everything under /api/console. */
export function addConsoleRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  void app.register(async (scope) => {
    await scope.register(cookie);
    scope.setErrorHandler((error, request, reply) =>
      answerError(toConsoleError(error), request, reply, options.publicUrl),
    );
    const door = createConsoleDoor(scope, options);
    addSessionRoutes(door, options);
    addAskRoute(door, options);
    addKeyRoutes(door, options);
    addUserRoutes(door, options);
    addAuditRoute(door);
    addAccountRoutes(door, options);
    addPlanRoutes(door, options);
    addDatasetsRoute(door, options);
    addUsageRoutes(door, options);
    addOperatorRoutes(door, options);
  });
}
