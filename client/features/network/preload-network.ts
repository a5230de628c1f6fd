import { preloadDocument } from '../../hooks/documents.ts'
import type { Services } from '../../hooks/services.tsx'
import { preloadCommunity } from './use-community.ts'

/** Starts refreshing everything that the network page shows, and resolves once the stored rows are read. */
export async function preloadNetwork(services: Services): Promise<void> {
  await Promise.all([
    preloadCommunity(services, 'members', 'stats', 'testimonials', 'supporters'),
    preloadDocument(services, 'benefits'),
    preloadDocument(services, 'academy'),
  ])
}
