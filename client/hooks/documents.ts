import type { ContentDocument, ContentName } from '../../contract/content.ts'
import { createDocuments, type Documents } from '../data/documents.ts'
import { isReturn } from '../platform/initial-data.ts'
import { type Loaded, preloadResources, useResource } from './catalogue.ts'
import { type Services, useServices } from './services.tsx'

// The repository is created on first use, because it is part of an on-demand chunk.
const repositories = new WeakMap<Services, Documents>()

function documentsOf(services: Services): Documents {
  const { api, database, connection, initialData } = services
  const documents = repositories.get(services) ?? createDocuments({ api, database, connection, initialData, isInitialCurrent: !isReturn() })
  repositories.set(services, documents)
  return documents
}

/** Returns a long text of the brand, and refreshes it on mount. */
export const useDocument = <Name extends ContentName>(name: Name): Loaded<ContentDocument<Name>> =>
  useResource(documentsOf(useServices()).get(name))

/** Starts refreshing a document and resolves once its stored row is read. */
export const preloadDocument = (services: Services, name: ContentName): Promise<void> => preloadResources(documentsOf(services).get(name))
