/** The path of the news as an Atom feed. */
export const ATOM_PATH = '/latest.xml'

/** The paths of the Atom feeds of artists and playlists. Their queries name the artist (`a`) or the playlist (`p`). */
export const ARTIST_ATOM_PATH = '/artist.xml'
export const PLAYLIST_ATOM_PATH = '/playlist.xml'

/** Returns the URL path of the Atom feed of an artist's new songs. */
export const createArtistAtomPath = (name: string): string => `${ARTIST_ATOM_PATH}?${new URLSearchParams({ a: name })}`

/** Returns the URL path of the Atom feed of a playlist's new songs. */
export const createPlaylistAtomPath = (id: string): string => `${PLAYLIST_ATOM_PATH}?${new URLSearchParams({ p: id })}`

/** The number of news items that the HTML of /latest contains, and that each press of the page's button for older news adds. */
export const NEWS_PER_PAGE = 12

/** Returns the id of a news item's element on /latest. The prefix keeps it apart from the ids of the page's own elements. */
export const createNewsAnchor = (id: string): string => `news-${id}`
