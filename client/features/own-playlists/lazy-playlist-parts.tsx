import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'

// The parts of the page of an own playlist that are loaded on demand. The list of own playlists loads them in advance.

// Until the buttons are loaded, an empty `span` takes the place of their menu.
export const OwnPlaylistTools = lazyWithRetry(() => import('./own-playlist-tools.tsx').then((module) => module.OwnPlaylistTools), {
  fallback: () => <span />,
})
export const PlaylistMosaic = lazyWithRetry(() => import('./playlist-mosaic.tsx').then((module) => module.PlaylistMosaic))
