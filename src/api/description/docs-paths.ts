/** Paths of the API reference: its page, the script that the page loads, and the guide. */
export const PAGE = '/docs/';
export const SCRIPT = '/docs/js/scalar.js';
export const GUIDE = '/docs/guide';
