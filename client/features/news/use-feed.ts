import type { FeedItem } from '../../../contract/community.ts'
import { createFeed } from '../../data/community.ts'
import { type Loaded, preloadResources, useResource } from '../../hooks/catalogue.ts'
import { repositoryOf } from '../../hooks/repositories.ts'
import { type Services, useServices } from '../../hooks/services.tsx'

const feedOf = repositoryOf(createFeed)

/** Returns the news of the site, newest first, and refreshes them on mount. */
export const useFeed = (): Loaded<FeedItem[]> => useResource(feedOf(useServices()))

/** Starts refreshing the news and resolves once the stored rows are read. */
export const preloadFeed = (services: Services): Promise<void> => preloadResources(feedOf(services))
