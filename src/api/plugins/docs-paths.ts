/** Paths of the API reference: its page and the script that the page loads. */
export const PAGE = '/docs/';
export const SCRIPT = '/docs/js/scalar.js';
