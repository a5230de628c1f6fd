import { prepareContext } from '../data/queue-context.ts'
import type { Services } from './services.tsx'

/**
 * For route loaders: begins to load the songs of a song context, such as a playlist, because the player needs these songs as soon as its
 * code is loaded.
 */
export const prepareQueue: (services: Pick<Services, 'api' | 'catalogue'>, contextId: string) => void = prepareContext
