/**
 * Name of the cache of the pinned playlists' pictures, by URL (`/img/song/ID/WIDTH`). The page adds and removes entries; the service worker matches
 * this cache first and never evicts from it. If the network fails, the service worker responds with a pinned picture of another width.
 */
export const PINNED_PICTURES_CACHE = 'kept-pictures-v1'

/** Name of the runtime cache of pictures that pages have shown: filled and limited by the service worker, cleared by the page. */
export const SHOWN_PICTURES_CACHE = 'pictures-v1'

/** The response header of a placeholder cover, which the server draws if an item has no picture. Clients must revalidate a placeholder. */
export const PLACEHOLDER_COVER_HEADER = 'x-drawn-cover'

/**
 * Name of the cache that holds a file that was shared with the app, until the maker opens the file. The service worker or the page stores the file.
 */
export const RECEIVED_FILES_CACHE = 'received-files-v1'

/** The `revision` of files in the precache manifest that the service worker caches only on demand. */
export const ON_DEMAND_REVISION = 'on-demand'

/** The `revision` of the pack (`program-pack.ts`) in the precache manifest. */
export const PROGRAM_PACK_REVISION = 'pack'
