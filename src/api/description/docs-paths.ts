/** Paths of the API reference: its page, the script that the page loads, the guide, and what programs read of it. */
export const PAGE = '/docs/';
export const SCRIPT = '/docs/js/scalar.js';
export const GUIDE = '/docs/guide';
export const GUIDE_TEXT = '/docs/guide.md';
export const LLMS = '/llms.txt';
