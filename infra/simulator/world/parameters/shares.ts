/** Parameters that shares of accounts follow from. */
export interface ShareParameters {
  readonly adversaries: { readonly share: number; readonly adaptive: number };
  readonly handles: { readonly identical: number };
  readonly names: { readonly sameHandle: number };
}

/** Share of handles that are not the same everywhere and have a separator. */
export const SEPARATED = 0.6;

/** Of all accounts’ handles. */
export const separatedShare = ({ handles }: Pick<ShareParameters, 'handles'>): number =>
  SEPARATED * (1 - Math.sqrt(handles.identical));

/** Shares of accounts with a role of those that belong to no person with several accounts. */
export const strangerShares = ({ adversaries, handles, names }: ShareParameters) => ({
  // A name is taken only where it would be the same; then it is the given share of all accounts’ names.
  taken: names.sameHandle / Math.sqrt(handles.identical),
  // Of the whole share: an eighth impersonators, a sixteenth parodies; taken names and clients have their own.
  impersonators: adversaries.share * 0.12,
  parodies: adversaries.share * 0.06,
  adaptive: adversaries.adaptive,
});
