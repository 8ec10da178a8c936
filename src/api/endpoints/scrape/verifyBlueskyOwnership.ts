import { verifyEndpoint } from './verify-ownership.ts';

export default verifyEndpoint('bluesky', 'verifyBlueskyOwnership', 'bsky.app');
