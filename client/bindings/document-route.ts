import type { ContentName } from '../../contract/content.ts'
import type { RouterContext } from './services.tsx'

/** Returns the loader of a route that shows a document. The repository is loaded on demand, together with the page. */
export const documentLoader =
  (name: ContentName) =>
  async ({ context }: { context: RouterContext }): Promise<void> =>
    (await import('./documents.ts')).preloadDocument(context.services, name)
