import { type CommunityData, createCommunity } from '../../data/community.ts'
import { type LoadedResource, preloadResources, useResource } from '../../hooks/catalogue.ts'
import { preloadDocument } from '../../hooks/documents.ts'
import { createRepositoryGetter } from '../../hooks/repositories.ts'
import { type Services, useServices } from '../../hooks/services.tsx'

const getCommunity = createRepositoryGetter(createCommunity)

/** Returns one of the network's resources, such as its members, and refreshes it on mount. */
export const useNetworkResource = <Name extends keyof CommunityData>(name: Name): LoadedResource<CommunityData[Name]> =>
  useResource(getCommunity(useServices())[name]())

/** For route loaders: starts refreshing some of the network's resources and resolves once their stored rows are read. */
export const preloadNetworkResources = (services: Services, ...names: readonly (keyof CommunityData)[]): Promise<void> =>
  preloadResources(...names.map((name) => getCommunity(services)[name]()))

/** Starts refreshing everything that the network page shows, and resolves once the stored rows are read. */
export async function preloadNetworkPage(services: Services): Promise<void> {
  await Promise.all([
    preloadNetworkResources(services, 'members', 'stats', 'testimonials', 'supporters'),
    preloadDocument(services, 'benefits'),
    preloadDocument(services, 'academy'),
  ])
}
