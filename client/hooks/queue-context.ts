import { prepareContext } from '../data/queue-context.ts'
import type { Services } from './services.tsx'

/** For route loaders: begins to load the songs of a context, which the player needs as soon as it is loaded. */
export const prepareQueue: (services: Pick<Services, 'api' | 'catalogue'>, contextId: string) => void = prepareContext
