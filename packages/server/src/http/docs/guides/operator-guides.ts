import type { Guide } from "./guide.ts";

/** For whoever runs the service, in the order in which one needs them. */
export const OPERATOR_GUIDES: readonly Guide[] = [
  {
    name: "deploy",
    file: "deploy.md",
    title: "From one machine to many",
    group: "Running it",
    lead: "The image, compose files, the chart, the proxy, alerts and upgrades, step by step.",
  },
  {
    name: "backup",
    file: "backup.md",
    title: "Moving, backing up and restoring",
    group: "Running it",
    lead: "Copies from one place to another, backups every night, and how they are put back.",
  },
  {
    name: "roles",
    file: "roles.md",
    title: "Several processes",
    group: "Running it",
    lead: "What each role does, who owns which stream, and what happens when one dies.",
  },
  {
    name: "cluster",
    file: "cluster.md",
    title: "A ClickHouse cluster",
    group: "Running it",
    lead: "What the servers need, what is promised when a node is lost, and what of it was run.",
  },
  {
    name: "growth",
    file: "growth.md",
    title: "Growth and tiering",
    group: "Running it",
    lead: "Bytes, servers and cost by size, and old order books in object storage.",
  },
  {
    name: "metrics",
    file: "metrics.md",
    title: "Metrics",
    group: "Running it",
    lead: "Every metric that the service gives to Prometheus.",
  },
  {
    name: "runbook",
    file: "runbook/README.md",
    title: "Runbook",
    group: "Running it",
    lead: "A page for each alert: what it means, where to look, what to do.",
  },
];
