import type { KalshiSeries } from "../../world/kalshi-contract.ts";

/** Series object. Empty lists are JSON null, as on the wire. */
export function toSeries(series: KalshiSeries) {
  return {
    ticker: series.ticker,
    frequency: series.frequency,
    title: series.title,
    category: series.category,
    categories: [series.category],
    tags: series.tags.length === 0 ? null : series.tags,
    settlement_sources: series.settlement_sources.length === 0 ? null : series.settlement_sources,
    contract_url: `https://kalshi-public-docs.s3.us-east-1.amazonaws.com/regulatory/product-certifications/${series.ticker}.pdf`,
    contract_terms_url: `https://kalshi-public-docs.s3.amazonaws.com/contract_terms/${series.ticker}.pdf`,
    fee_type: series.fee_type,
    fee_multiplier: series.fee_multiplier,
    additional_prohibitions: null,
    exchange_index: 0,
  };
}
