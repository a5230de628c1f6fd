import { type Community, type CommunityData, createCommunity } from '../../data/community.ts'
import { type Loaded, preloadResources, useResource } from '../../hooks/catalogue.ts'
import { type Services, useServices } from '../../hooks/services.tsx'
import { isReturn } from '../../platform/initial-data.ts'

// The repository is created on first use, because it is part of an on-demand chunk.
const repositories = new WeakMap<Services, Community>()

function communityOf(services: Services): Community {
  const { api, database, connection, initialData } = services
  const community = repositories.get(services) ?? createCommunity({ api, database, connection, initialData, isInitialCurrent: !isReturn() })
  repositories.set(services, community)
  return community
}

/** Returns a part of the network, such as its members, and refreshes it on mount. */
export const useCommunity = <Name extends keyof CommunityData>(name: Name): Loaded<CommunityData[Name]> =>
  useResource(communityOf(useServices())[name]())

/** For route loaders: starts refreshing parts of the network and resolves once their stored rows are read. */
export const preloadCommunity = (services: Services, ...names: readonly (keyof CommunityData)[]): Promise<void> =>
  preloadResources(...names.map((name) => communityOf(services)[name]()))
