import type { FeedItem } from '../../../contract/community.ts'
import { createFeed } from '../../data/feed.ts'
import type { Resource } from '../../data/resource.ts'
import { type Loaded, preloadResources, useResource } from '../../hooks/catalogue.ts'
import { type Services, useServices } from '../../hooks/services.tsx'
import { isReturn } from '../../platform/initial-data.ts'

// The resource is created on first use, because it is part of an on-demand chunk.
const feeds = new WeakMap<Services, Resource<FeedItem[]>>()

function feedOf(services: Services): Resource<FeedItem[]> {
  const { api, database, connection, initialData } = services
  const feed = feeds.get(services) ?? createFeed({ api, database, connection, initialData, isInitialCurrent: !isReturn() })
  feeds.set(services, feed)
  return feed
}

/** Returns the news of the site, newest first, and refreshes them on mount. */
export const useFeed = (): Loaded<FeedItem[]> => useResource(feedOf(useServices()))

/** Starts refreshing the news and resolves once the stored rows are read. */
export const preloadFeed = (services: Services): Promise<void> => preloadResources(feedOf(services))
