import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { ConsoleContext, createConsole } from "./api/console.ts";
import { createQueryClient } from "./api/query-client.ts";
import { showUser } from "./api/session.ts";
import "./app/styles.css";
import { createRouter } from "./app/router.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root");

const client = createQueryClient();
const api = createConsole(fetch.bind(window), (user) => showUser(client, user));

createRoot(root).render(
  <StrictMode>
    <ConsoleContext value={api}>
      <QueryClientProvider client={client}>
        <RouterProvider router={createRouter()} />
      </QueryClientProvider>
    </ConsoleContext>
  </StrictMode>,
);
