/** The path of the news as an Atom feed. */
export const ATOM_PATH = '/latest.xml'

/** The number of news items that /latest shows at first (they are in the HTML), and that each press of its button adds. */
export const NEWS_PER_PAGE = 12

/** Returns the id of a news item's element on /latest. The prefix keeps it apart from the ids of the page's own elements. */
export const newsAnchor = (id: string): string => `news-${id}`
