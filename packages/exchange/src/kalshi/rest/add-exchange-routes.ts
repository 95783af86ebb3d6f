import type { FastifyInstance } from "fastify";

const ALL_DAY = [{ close_time: "00:00", open_time: "00:00" }];

const ACTIVE = { exchange_active: true, intra_exchange_transfers_active: true, trading_active: true };

/** GET /exchange/status, /exchange/schedule (the weekly pause is Thursday 03:00–05:00 ET), /account/endpoint_costs. */
export function addExchangeRoutes(app: FastifyInstance, readCost: number): void {
  app.get("/exchange/status", (_request, reply) => {
    void reply.header("cache-control", "public, max-age=1");
    return {
      ...ACTIVE,
      exchange_estimated_resume_time: null,
      exchange_index_statuses: [{ ...ACTIVE, description: "default", exchange_index: 0 }],
    };
  });

  app.get("/exchange/schedule", () => ({
    schedule: {
      maintenance_windows: [],
      standard_hours: [
        {
          end_time: "2200-12-01T00:00:00Z",
          friday: ALL_DAY,
          monday: ALL_DAY,
          saturday: ALL_DAY,
          start_time: "2024-12-01T00:00:00Z",
          sunday: ALL_DAY,
          thursday: [
            { close_time: "03:00", open_time: "00:00" },
            { close_time: "00:00", open_time: "05:00" },
          ],
          tuesday: ALL_DAY,
          wednesday: ALL_DAY,
        },
      ],
    },
  }));

  app.get("/account/endpoint_costs", () => ({ default_cost: readCost, endpoint_costs: [] }));
}
