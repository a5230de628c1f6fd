import type { FeedItem } from '../../../contract/community.ts'
import { createNewsFeed } from '../../data/community.ts'
import { type LoadedResource, preloadResources, useResource } from '../../hooks/catalogue.ts'
import { createRepositoryGetter } from '../../hooks/repositories.ts'
import { type Services, useServices } from '../../hooks/services.tsx'

const getNewsFeed = createRepositoryGetter(createNewsFeed)

/** Returns the news of the site, newest first, and refreshes them on mount. */
export const useFeed = (): LoadedResource<FeedItem[]> => useResource(getNewsFeed(useServices()))

/** Starts refreshing the news and resolves once the stored rows are read. */
export const preloadFeed = (services: Services): Promise<void> => preloadResources(getNewsFeed(services))
