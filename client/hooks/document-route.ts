import type { ContentDocumentName } from '../../contract/content.ts'
import { createHeadForPage } from './page-title.ts'
import type { RouterContext } from './services.tsx'

/** Starts loading a document. The repository is loaded on demand, together with the page. */
export const loadDocument = async ({ services }: RouterContext, name: ContentDocumentName): Promise<void> =>
  (await import('./documents.ts')).preloadDocument(services, name)

/** Returns the loader and the head of the route of a page that shows one document. */
export const createDocumentRoute = (name: ContentDocumentName) => ({
  loader: ({ context }: { context: RouterContext }) => loadDocument(context, name),
  head: createHeadForPage,
})
