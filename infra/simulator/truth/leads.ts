import { isoOf } from '../../../src/kernel/clock.ts';
import { residenceOf } from '../world/linkedin/employment.ts';
import type { World } from '../world/world.ts';

/** A company of LinkedIn with what its page says; `n` counts from 0. */
export const companyTruth = (world: World, n: number, at: number) => {
  const index = world.size + n;
  const account = world.account('linkedin', index, at);
  const facts = world.hidden.company(index);
  return {
    index,
    slug: facts.slug,
    name: account.displayName,
    status: account.status,
    followers: account.followers,
    industry: facts.industry,
    employees: facts.employees,
    country: facts.country,
    headquarters: facts.headquarters,
    founded: facts.founded,
    specialties: facts.specialties,
    website: facts.website,
  };
};

/** A person of LinkedIn with title and employer. */
export const decisionMakerTruth = (world: World, index: number, at: number) => {
  const account = world.account('linkedin', index, at);
  const title = world.hidden.title(index);
  const { country, town, showsCountry } = residenceOf(account.key);
  return {
    index,
    handle: account.handle,
    name: account.displayName,
    status: account.status,
    title: title.text,
    title_language: title.language,
    level: title.level,
    department: title.department,
    company: world.handleOf('linkedin', world.hidden.employer(index), at).replace('company:', ''),
    country,
    town,
    shows_country: showsCountry,
  };
};

/** An account offered for sale, with the terms of its price. */
export const listingTruth = (world: World, number: number, at: number) => {
  const listing = world.market.listing(number, at);
  if (!listing) return null;
  return {
    number,
    platform: listing.platform,
    index: listing.index,
    handle: world.handleOf(listing.platform, listing.index, listing.listedAt),
    seller: listing.seller,
    listed_at: isoOf(listing.listedAt),
    prices: listing.prices
      .filter((price) => price.at <= at)
      .map((price) => ({ at: isoOf(price.at), price_micro_usd: price.microUsd })),
    sold_at: listing.soldAt !== null && listing.soldAt <= at ? isoOf(listing.soldAt) : null,
    sold_micro_usd: listing.soldAt !== null && listing.soldAt <= at ? listing.soldMicroUsd : null,
    withdrawn_at:
      listing.withdrawnAt !== null && listing.withdrawnAt <= at ? isoOf(listing.withdrawnAt) : null,
    sells: listing.soldAt !== null,
    relisted_from: listing.relistedFrom,
    ln_followers: Number(
      (listing.model.followers / world.parameters.market.elasticity + Math.log(10_000)).toPrecision(8),
    ),
    model: listing.model,
  };
};

export const placementTruth = (world: World, number: number, at: number) => {
  const placement = world.market.placement(number, at);
  return (
    placement && {
      number,
      platform: placement.platform,
      index: placement.index,
      handle: world.handleOf(placement.platform, placement.index, placement.at),
      at: isoOf(placement.at),
      views: placement.views,
      cpm_usd: Number(placement.cpmUsd.toPrecision(8)),
      price_micro_usd: placement.priceMicroUsd,
    }
  );
};
