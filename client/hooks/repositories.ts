import type { RepositoryDeps } from '../data/resource.ts'
import { isReturn } from '../platform/initial-data.ts'
import type { Services } from './services.tsx'

/** Returns the function that returns the one object of a page that `create` creates at the first call: its code may be part of an on-demand chunk. */
export function oncePerPage<T>(create: (services: Services) => T): (services: Services) => T {
  const created = new WeakMap<Services, { value: T }>()
  return (services) => {
    const entry = created.get(services) ?? { value: create(services) }
    created.set(services, entry)
    return entry.value
  }
}

/** Returns the function that returns a repository of the page. */
export const repositoryOf = <T>(create: (deps: RepositoryDeps) => T): ((services: Services) => T) =>
  oncePerPage(({ api, database, connection, initialData }) =>
    create({ api, database, connection, initialData, isInitialCurrent: !isReturn() }),
  )
