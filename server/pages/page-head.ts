/** The content of a document's `<head>`, and the HTTP status of its response. */
export interface PageHead {
  status: 200 | 404
  /** The title of the document, shown in the browser's tab. */
  title: string
  description: string
  /** The text of the page's `<h1>` heading. */
  heading: string
  /** The canonical path and query; absent on the 404 page. */
  canonical?: string
  /** The URL of the page's preview picture on this origin, 1200 pixels wide. */
  image: string
  ogType: 'website' | 'music.song' | 'music.playlist'
  jsonLd: Record<string, unknown>[]
  /** The path of the Atom feed with the page's content, for feed readers. */
  atomPath?: string
  /** Whether search engines may list the page. */
  indexable: boolean
}
