/** What the HTML of one address says before any script runs. */
export interface PageHead {
  status: 200 | 404
  /** The document's title, whole. */
  title: string
  description: string
  /** The page's `<h1>`. */
  heading: string
  /** The path and query that this page is known by; absent where there is no such page. */
  canonical?: string
  /** A picture on our own origin, 1200 wide. */
  image: string
  ogType: 'website' | 'music.song' | 'music.playlist'
  jsonLd: Record<string, unknown>[]
  /** Whether search engines may list it. */
  listed: boolean
}
