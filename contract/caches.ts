/**
 * The pictures that a person chose to keep, by their address (`/img/song/ID/WIDTH`). The page fills and empties this cache; the
 * service worker looks in it first and never limits it. One width stands for all: where the network fails, a kept
 * picture of another width is the answer.
 */
export const KEPT_PICTURES = 'kept-pictures-v1'

/** The pictures that pages have shown: filled and limited by the service worker, cleared by the page. */
export const SEEN_PICTURES = 'pictures-v1'

/** The header of a cover that the server drew because it had no picture, or not yet: it is asked for again. */
export const DRAWN_HEADER = 'x-drawn-cover'

/** What was shared with the app and waits for the maker: one file, put there by the service worker or the page, taken by the page. */
export const RECEIVED_FILES = 'received-files-v1'
