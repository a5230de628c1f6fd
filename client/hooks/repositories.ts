import type { RepositoryDeps } from '../data/resource.ts'
import { isDocumentCurrent } from '../platform/initial-data.ts'
import type { Services } from './services.tsx'

/**
 * Returns a function that creates an object at its first call on a page, and returns the same object afterwards. The object is not created
 * earlier, so that the code of `createValue` can be part of an on-demand chunk.
 */
export function createOncePerPage<T>(createValue: (services: Services) => T): (services: Services) => T {
  const valueByServices = new WeakMap<Services, { value: T }>()
  return (services) => {
    const entry = valueByServices.get(services) ?? { value: createValue(services) }
    valueByServices.set(services, entry)
    return entry.value
  }
}

/** Returns a function that returns the page's repository, which is created at the first call. */
export const createRepositoryGetter = <T>(createRepository: (deps: RepositoryDeps) => T): ((services: Services) => T) =>
  createOncePerPage(({ api, database, connection, initialData }) =>
    createRepository({ api, database, connection, initialData, isInitialCurrent: isDocumentCurrent() }),
  )
