import type { ContentDocument, ContentDocumentName } from '../../contract/content.ts'
import { createDocuments } from '../data/documents.ts'
import { type LoadedResource, preloadResources, useResource } from './catalogue.ts'
import { createRepositoryGetter } from './repositories.ts'
import { type Services, useServices } from './services.tsx'

const getDocuments = createRepositoryGetter(createDocuments)

/** Returns a long text of the brand, and refreshes it on mount. */
export const useDocument = <Name extends ContentDocumentName>(name: Name): LoadedResource<ContentDocument<Name>> =>
  useResource(getDocuments(useServices()).get(name))

/** Starts refreshing a document and resolves once its stored row is read. */
export const preloadDocument = (services: Services, name: ContentDocumentName): Promise<void> =>
  preloadResources(getDocuments(services).get(name))
